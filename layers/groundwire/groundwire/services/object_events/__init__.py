"""Use cases on the events of a bucket."""
