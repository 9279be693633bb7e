"""API keys in SQLite: storage and admission of calls."""
