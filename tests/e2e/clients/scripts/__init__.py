"""Scripts for the environments of clients: each is one client doing what people do with it."""
