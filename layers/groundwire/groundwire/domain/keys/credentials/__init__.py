"""Texts by which callers prove who they are: API keys, sign-ins of the page, access tokens."""
