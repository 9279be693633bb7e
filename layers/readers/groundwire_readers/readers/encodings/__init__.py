"""Decoding of text: declared, detected and likely encodings."""
