"""Ports of the registry: tenants, their users and keys, their collections and documents."""
