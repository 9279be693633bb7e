"""Readers of text files: plain text, JSON, XML, RTF."""
