"""MCP sources: MCP servers of other systems that an administrator registers, with a policy for their tools."""
