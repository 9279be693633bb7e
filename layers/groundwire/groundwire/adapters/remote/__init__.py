"""Clients of a deployed or remote Groundwire's REST API."""
