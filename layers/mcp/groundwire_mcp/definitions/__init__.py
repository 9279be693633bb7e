"""Definitions that make up a server: tools, prompts, resources."""
