"""Planning of the searches for a conversation, and the search of several queries."""
