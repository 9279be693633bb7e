"""REST function: FastAPI behind Mangum, for people, owners and monitors; the MCP path never imports it.

The routes are coroutines with blocking code: a call has its own event loop, in Lambda as behind the local gateway, and
a thread pool would cost more than it saves.
"""

from groundwire.entry.rest.lambda_handler import handler
from groundwire.entry.rest.links.link_responses import REFUSED_MESSAGE, UNAVAILABLE_MESSAGE

__all__ = ["REFUSED_MESSAGE", "UNAVAILABLE_MESSAGE", "handler"]
