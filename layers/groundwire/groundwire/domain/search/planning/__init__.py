"""Queries of a conversation: its turns, simple plans of queries, and the merging of what several queries find."""
