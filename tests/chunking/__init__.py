"""Cutting documents into passages."""
