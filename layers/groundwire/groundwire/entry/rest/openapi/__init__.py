"""OpenAPI document of the REST API, and the examples in it."""
