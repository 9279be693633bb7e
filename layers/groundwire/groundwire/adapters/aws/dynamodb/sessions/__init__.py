"""Rows of the table of sessions: those of a day or less, which the table's time to live removes."""
