"""Readers of XML documents."""
