"""Connections of the server: their timeouts, the party that each belongs to, and proxies whose headers count."""
