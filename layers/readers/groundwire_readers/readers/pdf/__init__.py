"""Repairs of text that was extracted from PDF pages."""
