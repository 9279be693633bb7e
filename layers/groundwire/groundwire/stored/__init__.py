"""Field tables: one declaration of a stored type gives its row, its item, its JSON and its context."""
