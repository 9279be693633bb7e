"""Processes of workers: their start, their requests and their end."""
