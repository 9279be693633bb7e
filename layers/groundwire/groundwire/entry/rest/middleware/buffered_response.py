"""An answer that is held back until it may be given."""

from collections.abc import MutableMapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from starlette.datastructures import MutableHeaders

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

_HEADERS: Final = {"cache-control": "no-store", "x-content-type-options": "nosniff"}


@dataclass(slots=True)
class BufferedResponse:
    """What an application sent.

    Attributes:
        start_message: the message that holds status and headers.
    """

    start_message: MutableMapping[str, Any] = field(default_factory=dict[str, Any])
    body: bytes = b""

    @property
    def status(self) -> int:
        """Of the response."""
        return int(self.start_message["status"])

    async def buffer(self, message: MutableMapping[str, Any]) -> None:
        """An ASGI `send` that sends nothing."""
        if message["type"] == "http.response.start":
            self.start_message = message
        else:
            self.body += message.get("body", b"")

    async def send(self, send: "Send") -> None:
        """The answer goes out, as one key's own."""
        MutableHeaders(scope=self.start_message).update(_HEADERS)
        await send(self.start_message)
        await send({"type": "http.response.body", "body": self.body})


async def buffer_response(application: "ASGIApp", scope: "Scope", receive: "Receive") -> BufferedResponse:
    """What the application answers; Raises what it raises."""
    answer = BufferedResponse()
    await application(scope, receive, answer.buffer)
    return answer
