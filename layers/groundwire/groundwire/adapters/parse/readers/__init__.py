"""Readers of the file formats, one folder per family of formats."""
