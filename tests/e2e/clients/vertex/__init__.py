"""Clients of Vertex AI RAG Engine against a running server: only their address and their key are changed."""
