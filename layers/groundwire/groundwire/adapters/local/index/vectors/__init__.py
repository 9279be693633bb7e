"""Vector search: cosine similarity, codes of vectors, sentence windows."""
