"""Entry points: Lambda handlers, local server and gateway, command line."""
