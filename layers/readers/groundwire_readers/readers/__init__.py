"""Readers of the file formats, one folder per group of formats."""
