"""Commands `serve` and `demo`."""
