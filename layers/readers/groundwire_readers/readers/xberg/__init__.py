"""Adapter of the parser library xberg."""
