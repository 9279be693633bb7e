"""Rows that a tenant's administrator makes: collections, definitions, users."""
