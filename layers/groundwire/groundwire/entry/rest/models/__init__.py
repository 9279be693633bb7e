"""Requests and answers of the API, field by field, as OpenAPI shows them."""
