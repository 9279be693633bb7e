"""MCP over HTTP: requests, headers, batches, responses."""
