"""The measure of search: judged questions through the very service that answers agents."""
