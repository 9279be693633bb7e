"""Plugins of pytest for the whole run: the order of the tests and the validation of every response."""
