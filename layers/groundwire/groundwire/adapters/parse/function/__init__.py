"""Parsing of documents in a function of its own: what goes to the function, what comes back, and its process."""
