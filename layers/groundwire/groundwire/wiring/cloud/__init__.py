"""Composition of the deployed functions."""
