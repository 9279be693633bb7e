"""What runs inside the environments of clients: each script is one client doing what people do with it."""
