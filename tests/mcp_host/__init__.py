"""Tests of the MCP host, over real pipes and ports."""
