"""Confined worker process that parses untrusted files."""
