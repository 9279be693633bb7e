"""Routes of API keys, and of the groups whose tags access tokens give."""
