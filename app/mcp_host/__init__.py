"""Many MCP servers as one Toolbox: launching, watching and calling them."""
