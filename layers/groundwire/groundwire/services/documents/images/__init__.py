"""Images of documents: stored pictures, rows of their texts, and the search for them."""
