"""Document parsers, run in a confined worker process."""
