"""The Model Context Protocol without retrieval: handshake and stateless revisions on one URL."""
