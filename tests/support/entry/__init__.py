"""The product as users start it: the command, the demo server, the server behind the gateway."""
