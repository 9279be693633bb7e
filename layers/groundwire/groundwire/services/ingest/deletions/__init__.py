"""Deletions by persons: what they hold back, how they are remembered, and how they end."""
