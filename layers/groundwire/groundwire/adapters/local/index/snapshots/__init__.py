"""Snapshots of an index in memory, which searches read: refresh, cache, maintenance."""
