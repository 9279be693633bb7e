"""Blocks and the title of a PDF from the lines of its pages."""
