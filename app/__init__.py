"""LeoChat: a desktop client for AI agents, with cards that talk back."""
