"""LeoChat by its command line: killed at any moment and resumed, and whole turns over real HTTP."""
