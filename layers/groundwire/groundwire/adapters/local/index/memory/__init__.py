"""Index in memory: snapshot, refresh, cache, maintenance."""
