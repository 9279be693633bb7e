"""Reader of HTML pages."""
