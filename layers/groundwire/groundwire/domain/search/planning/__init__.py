"""Planning of search queries by rules: a conversation becomes queries that need no other message."""
