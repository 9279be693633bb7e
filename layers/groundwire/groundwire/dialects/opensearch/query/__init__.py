"""Query language: bodies of searches to filters, texts and checks."""
