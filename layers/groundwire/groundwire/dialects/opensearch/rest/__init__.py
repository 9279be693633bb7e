"""REST routes beside the indexes: administration of tools, and settings."""
