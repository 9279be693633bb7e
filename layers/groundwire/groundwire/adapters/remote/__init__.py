"""A deployed or remote Groundwire, by its REST API."""
