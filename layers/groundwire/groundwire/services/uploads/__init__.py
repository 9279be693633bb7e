"""Use cases on uploads by ticket."""
