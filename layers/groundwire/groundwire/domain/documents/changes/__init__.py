"""Changes of a document's record: each a pure function that returns the changed record; and who may make them."""
