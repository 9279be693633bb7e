"""Progress, waiting and signals of long commands."""
