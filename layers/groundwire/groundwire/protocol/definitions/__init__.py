"""Definitions that a server is made of: tools, prompts, resources."""
