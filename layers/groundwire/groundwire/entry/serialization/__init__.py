"""JSON of entities, for REST, the operator function and the command line."""
