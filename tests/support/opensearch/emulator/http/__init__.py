"""HTTP between the client, the emulator and the node."""
