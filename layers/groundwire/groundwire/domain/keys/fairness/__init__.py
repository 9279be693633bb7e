"""Fair shares of what a server has for its callers: kinds of work with their costs, parties, and one queue."""
