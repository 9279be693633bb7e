"""Equations of Word files as LaTeX."""
