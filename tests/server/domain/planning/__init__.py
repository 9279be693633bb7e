"""Promises of the query planner."""
