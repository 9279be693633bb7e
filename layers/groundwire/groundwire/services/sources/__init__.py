"""MCP sources: their administration, their tools for agents, and the limits of calls to their servers."""
