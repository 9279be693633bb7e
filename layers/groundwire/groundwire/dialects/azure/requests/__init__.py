"""Requests of Azure AI Search's API: their members by version, and what they mean."""
