"""Lines of a PDF page in reading order, without what every page repeats."""
