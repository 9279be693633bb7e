"""Members of a search's body beside the query: window, order, fields and aggregations."""
