"""Numpy arrays of an index, growing in memory or mapped from files."""
