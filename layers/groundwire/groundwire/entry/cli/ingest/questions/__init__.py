"""What a person is asked before a run: readers that are lost, documents that are deleted, copies."""
