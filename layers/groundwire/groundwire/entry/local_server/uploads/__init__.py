"""Endpoint for upload forms."""
