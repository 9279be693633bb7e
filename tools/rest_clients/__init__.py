"""Generator of thin, typed clients of the REST API: `python -m tools.rest_clients` writes those in samples/clients."""
