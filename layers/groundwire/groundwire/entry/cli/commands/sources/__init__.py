"""`groundwire source`: MCP servers of other systems as sources."""
