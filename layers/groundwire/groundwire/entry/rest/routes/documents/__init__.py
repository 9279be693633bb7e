"""Documents: their records, decisions of persons about them, and uploads of new files."""
