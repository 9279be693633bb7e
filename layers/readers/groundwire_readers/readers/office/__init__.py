"""Readers of Microsoft Office files."""
