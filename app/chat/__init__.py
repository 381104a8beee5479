"""Floor 2: what a user would call the app: sessions, the library of conversations, approvals, prompts and slash commands."""
