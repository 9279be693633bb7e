"""Selection of rows by the caller's rights, collections, documents and filters."""
