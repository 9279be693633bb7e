"""Relevance: how well answered questions part from those that no passage answers."""
