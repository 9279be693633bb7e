"""Agents of the libraries that people use, each against a server that runs and a model that follows a script."""
