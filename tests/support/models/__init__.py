"""Embedding models of the tests: small, deterministic and local."""
