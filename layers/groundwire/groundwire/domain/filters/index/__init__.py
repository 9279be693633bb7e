"""Conditions on index rows that filters compile to, the same for every engine."""
