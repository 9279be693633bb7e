"""Arrivals: files that were put into the bucket, changed or taken away, and the files there that speak of others."""
