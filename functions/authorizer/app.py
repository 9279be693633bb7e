"""The authorizer function: decides once per call who is asking."""

from groundwire.entry.authorizer import handler

__all__ = ["handler"]
