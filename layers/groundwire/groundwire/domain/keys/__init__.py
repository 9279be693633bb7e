"""API keys, access tokens and the callers that they identify."""
