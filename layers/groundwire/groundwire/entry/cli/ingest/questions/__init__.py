"""Questions to a person before a run: readers that are lost, documents that are deleted, copies."""
