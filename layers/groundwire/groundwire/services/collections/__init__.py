"""Collections: administration, those that a caller can read in, and proposals of descriptions."""
