"""Evaluation of search: judged questions through the same service that answers agents."""
