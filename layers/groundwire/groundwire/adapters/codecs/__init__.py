"""Stored and sealed forms that the local and the AWS adapters share."""
