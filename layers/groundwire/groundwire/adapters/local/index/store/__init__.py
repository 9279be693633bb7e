"""SQLite file of an index: schema, rows, writes, generations."""
