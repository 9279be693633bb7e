"""Image embeddings by a CLIP-shaped model: a text tower and a vision tower that share one space."""
