"""Ranking: fusion, phrases, metrics, quotations."""
