"""Bucket of originals and uploads."""
