"""Durable files and folders of a home."""
