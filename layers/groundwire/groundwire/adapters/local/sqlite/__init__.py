"""SQLite files of one machine: opening, creation, translated errors."""
