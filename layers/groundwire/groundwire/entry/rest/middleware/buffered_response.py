"""Buffered ASGI responses, which are sent only after their call is recorded."""

from collections.abc import MutableMapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from starlette.datastructures import MutableHeaders

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.types import ASGIApp, Receive, Scope, Send

_HEADERS: Final = {"cache-control": "no-store", "x-content-type-options": "nosniff"}


@dataclass(slots=True)
class BufferedResponse:
    """A response that an application has sent to the buffer.

    Attributes:
        start_message: the message with status and headers.
    """

    start_message: MutableMapping[str, Any] = field(default_factory=dict[str, Any])
    body: bytes = b""

    @property
    def status(self) -> int:
        """The HTTP status."""
        return int(self.start_message["status"])

    async def buffer(self, message: MutableMapping[str, Any]) -> None:
        """Store a message; takes the place of ASGI's `send`."""
        if message["type"] == "http.response.start":
            self.start_message = message
        else:
            # ASGI may send a body in parts.
            self.body += message.get("body", b"")

    async def send(self, send: "Send", headers: "Mapping[str, str] | None" = None) -> None:
        """Send the response with these headers and those that forbid caching, since it depends on the key."""
        MutableHeaders(scope=self.start_message).update({**_HEADERS, **(headers or {})})
        await send(self.start_message)
        await send({"type": "http.response.body", "body": self.body})


async def buffer_response(application: "ASGIApp", scope: "Scope", receive: "Receive") -> BufferedResponse:
    """Return the application's response; its exceptions pass through."""
    response = BufferedResponse()
    await application(scope, receive, response.buffer)
    return response
