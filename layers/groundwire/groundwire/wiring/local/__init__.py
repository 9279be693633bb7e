"""Composition of one machine."""
