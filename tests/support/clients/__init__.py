"""Clients of the server, and the requests that they send."""
