"""The api function: FastAPI behind Mangum, for people, owners and monitors; the MCP path never imports it.

The routes are coroutines that do blocking work: a call has its event loop to itself, in Lambda as behind the
local gateway, and a thread pool would cost more than it saves.
"""

from groundwire.entry.rest.document_links import REFUSED_MESSAGE, UNAVAILABLE_MESSAGE
from groundwire.entry.rest.lambda_handler import handler

__all__ = ["REFUSED_MESSAGE", "UNAVAILABLE_MESSAGE", "handler"]
