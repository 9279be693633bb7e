"""Grammar of the Common Expression Language (CEL), as far as a filter on a document's fields can have it."""
