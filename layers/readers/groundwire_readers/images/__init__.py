"""Extraction of the images of a document; runs inside the worker, except for the check of its reply."""
