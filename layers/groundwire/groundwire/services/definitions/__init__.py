"""Definitions: JSON objects of a tenant's administrator, with their secrets sealed."""
