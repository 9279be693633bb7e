"""The clients that people use, each in an environment of its own, against a server that runs."""
