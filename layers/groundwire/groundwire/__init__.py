"""Groundwire: ranked, cited passages for AI agents, and only those that the end user may read."""

__version__ = "0.1.0"

__all__ = ["__version__"]
