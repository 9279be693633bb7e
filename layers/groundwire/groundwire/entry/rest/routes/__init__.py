"""Routes of the REST API with their models, one module per resource."""
