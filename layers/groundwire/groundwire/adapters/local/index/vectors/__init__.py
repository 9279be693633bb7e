"""Vector search: exact cosine similarity, sign codes, sentence windows."""
