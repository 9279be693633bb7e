"""Reader of OpenDocument files."""
