"""Rows of an index, made from a parsed document: segments with their vectors, enriched texts, images."""
