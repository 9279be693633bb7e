"""The project's pages as data, and a terminal that runs their commands."""
