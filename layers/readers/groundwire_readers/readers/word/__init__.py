"""Reader of Word files: one walk over each of their parts."""
