"""MCP server of the dialect: its transport, its messages, and the tools that a tenant registered."""
