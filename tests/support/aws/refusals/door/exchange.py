"""Requests and answers of an ASGI application, complete: the proxy reads a request before it decides."""

from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Request:
    """A request of a client of AWS.

    Attributes:
        path: as it was sent, decoded.
        query: as it was sent.
        headers: names in small letters.
    """

    method: str
    path: str
    query: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def target(self) -> str:
        """Service and action of a request in JSON; empty for any other."""
        return self.headers.get("x-amz-target", "")


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to a request."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    async def sent(self, send: Send) -> None:
        """Send it."""
        headers = [(name.encode(), value.encode()) for name, value in self.headers.items()]
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": self.body})


async def read(scope: Scope, receive: Receive) -> Request:
    """Return the request with its whole body."""
    parts: list[bytes] = []
    while True:
        message = await receive()
        parts.append(message.get("body", b""))
        if not message.get("more_body"):
            break
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
    path = unquote(scope["raw_path"].decode()) if scope.get("raw_path") else str(scope["path"])
    query = scope.get("query_string", b"").decode()
    return Request(str(scope["method"]), path.partition("?")[0], query, headers, b"".join(parts))


def again(body: bytes, receive: Receive) -> Receive:
    """Return a channel that gives the body once more, and then what comes after it."""
    waiting = [{"type": "http.request", "body": body, "more_body": False}]

    async def given() -> MutableMapping[str, Any]:
        return waiting.pop() if waiting else await receive()

    return given


async def requested(application: Application, request: Request) -> Answer:
    """Return the application's answer to a request that the proxy itself sends."""
    headers = [(name.encode(), value.encode()) for name, value in request.headers.items()]
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "scheme": "http",
        "method": request.method,
        "path": request.path,
        "raw_path": request.path.encode(),
        "query_string": request.query.encode(),
        "root_path": "",
        "headers": headers,
        "client": ("127.0.0.1", 0),
        "server": ("127.0.0.1", 0),
    }
    sent: list[MutableMapping[str, Any]] = []

    async def receive() -> MutableMapping[str, Any]:
        return {"type": "http.request", "body": request.body, "more_body": False}

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    await application(scope, receive, send)
    body = b"".join(message.get("body", b"") for message in sent[1:])
    return Answer(sent[0]["status"], {name.decode(): value.decode() for name, value in sent[0]["headers"]}, body)
