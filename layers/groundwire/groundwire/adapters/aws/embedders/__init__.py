"""Embedders of a deployment: the embedding function, and the retry that all services of models share."""
