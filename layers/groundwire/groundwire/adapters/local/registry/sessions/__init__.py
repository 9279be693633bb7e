"""Rows of the registry that end by themselves: sessions, sign-ins, and grants of links."""
