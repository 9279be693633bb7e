"""Dialects as declarations: a toy that is one folder and one line, and the product's own."""
