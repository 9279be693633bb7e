"""Tenants, keys, users, collections and documents in one SQLite file, `registry.db`, shared by all processes."""
