"""Mapping, stored rows and filters of an OpenSearch index."""
