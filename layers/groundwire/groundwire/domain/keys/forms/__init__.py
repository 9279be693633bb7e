"""Forms of what callers present: API keys, sign-ins of the page, access tokens."""
