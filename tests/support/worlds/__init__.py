"""Whole products in a folder of their own, with tenants, keys and documents."""
