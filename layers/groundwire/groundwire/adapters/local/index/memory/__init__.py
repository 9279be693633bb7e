"""In-memory copy of an index: snapshot, refresh, cache, maintenance."""
