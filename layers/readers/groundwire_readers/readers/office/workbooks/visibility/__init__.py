"""Looks of cells: which of their contents a person sees."""
