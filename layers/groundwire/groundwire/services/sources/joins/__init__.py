"""Passages of sources in the answers over collections."""
