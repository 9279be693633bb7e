"""The api function: links to documents, and whether the service is alive."""

from groundwire.entry.rest import handler

__all__ = ["handler"]
