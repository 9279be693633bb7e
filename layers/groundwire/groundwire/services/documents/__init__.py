"""Use cases on documents: administration, links, citations, browsing."""
