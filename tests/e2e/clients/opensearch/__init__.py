"""Clients of OpenSearch against a running server: only their address and their key are changed."""
