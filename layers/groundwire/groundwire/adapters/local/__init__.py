"""Ports on one machine: SQLite, files and the embedded index."""
