"""Installed models and their manifests."""
