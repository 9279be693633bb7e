"""Client of MCP servers of other systems, in all revisions of the protocol, with OAuth credentials."""
