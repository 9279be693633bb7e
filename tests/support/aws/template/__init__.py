"""The template as data: tables, routes, permissions and values for given parameters."""
