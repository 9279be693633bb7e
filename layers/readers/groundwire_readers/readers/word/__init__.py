"""Reader of Word files: their parts are prepared for the parser library."""
