"""Bundled MCP servers: one package each, which exports `create(config)` and imports nothing of app."""
