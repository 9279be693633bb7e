"""Clients of Azure AI Search against a running server: only their address and their key are changed."""
