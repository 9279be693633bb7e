"""The ASGI application: HTTP in, one call on a worker thread, HTTP out, under API Gateway's limits."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from groundwire.entry.gateway import responses
from groundwire.entry.gateway.events import Request, merged_headers

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

    from groundwire.entry.gateway.dispatch import Dispatcher
    from groundwire.entry.gateway.hosts import HostAllowList
    from groundwire.entry.gateway.responses import Response
    from groundwire.entry.gateway.uploads import UploadDoor

MAX_BODY_BYTES: Final = 10 * 1024 * 1024
MAX_HEAD_BYTES: Final = 10_240
"""API Gateway's limit for the request line and all headers together."""
INTEGRATION_TIMEOUT_S: Final = 30.0
THREADS: Final = 16
MAX_PENDING: Final = 256
"""Calls that may run or wait for a thread; beyond it the answer is 503, as from a throttled function."""

_MAX_DRAINED_BYTES: Final = 4 * MAX_BODY_BYTES
_HEADER_OVERHEAD: Final = len(": \r\n")
_MISDIRECTED: Final = responses.own_answer(
    HTTPStatus.MISDIRECTED_REQUEST,
    "This server does not answer under that host name. Use 127.0.0.1, or start it with --allowed-host NAME.",
)
_REQUEST_TIMEOUT: Final = responses.own_answer(HTTPStatus.REQUEST_TIMEOUT)


class Gateway:
    """Serves a dispatcher's functions to the hosts that are allowed.

    A call that outlives the timeout is answered; its thread ends when the function does, and counts until then.
    """

    def __init__(
        self,
        dispatcher: "Dispatcher",
        hosts: "HostAllowList",
        timeout_s: float = INTEGRATION_TIMEOUT_S,
        max_pending: int = MAX_PENDING,
        door: "UploadDoor | None" = None,
    ) -> None:
        """`door` takes uploaded files; without one nobody does."""
        self._dispatcher = dispatcher
        self._hosts = hosts
        self._timeout_s = timeout_s
        self._max_pending = max_pending
        self._door = door
        self._pending = 0
        self._loops = _ThreadLoops()
        self._threads = ThreadPoolExecutor(THREADS, "groundwire-function", initializer=self._loops.open)

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Answers one HTTP request."""
        response = await self._answer(scope, receive)
        headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in response.headers]
        headers.append((b"content-length", str(len(response.body)).encode()))
        await send({"type": "http.response.start", "status": response.status, "headers": headers})
        await send({"type": "http.response.body", "body": response.body})

    def close(self) -> None:
        """Calls that wait are dropped, those that run are waited for."""
        self._threads.shutdown(wait=True, cancel_futures=True)
        if self._door is not None:
            self._door.close()
        self._loops.close()

    async def _answer(self, scope: "Scope", receive: "Receive") -> "Response":
        # What is no UTF-8 must not turn into somebody else's name: it becomes U+FFFD, which no identity may hold.
        headers = [(name.decode("latin-1"), value.decode("utf-8", "replace")) for name, value in scope["headers"]]
        if not self._hosts.admits([value for name, value in headers if name == "host"]):
            return _MISDIRECTED
        if _head_bytes(scope) > MAX_HEAD_BYTES:
            return responses.HEADERS_TOO_LARGE
        if self._door is not None and self._door.takes(scope["method"], scope["path"]):
            content_type = merged_headers(headers).get("content-type", "")
            return await self._door.answer(scope["path"], content_type, receive)
        try:
            async with asyncio.timeout(self._timeout_s):
                body = await _read_body(receive)
        except TimeoutError:
            return _REQUEST_TIMEOUT
        if body is None:
            return responses.BODY_TOO_LARGE
        return await self._call(_request(scope, headers, body))

    async def _call(self, request: Request) -> "Response":
        if self._pending >= self._max_pending:
            return responses.UNAVAILABLE
        call = asyncio.get_running_loop().run_in_executor(self._threads, self._dispatcher.answer, request)
        self._pending += 1
        call.add_done_callback(self._one_done)
        done, _ = await asyncio.wait({call}, timeout=self._timeout_s)
        return call.result() if done else responses.UNAVAILABLE

    def _one_done(self, _: "asyncio.Future[Response]") -> None:
        self._pending -= 1


class _ThreadLoops:
    """An event loop for each worker thread: Mangum runs the application on the loop of its thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loops: list[asyncio.AbstractEventLoop] = []

    def open(self) -> None:
        loop = asyncio.new_event_loop()
        asyncio.set_event_loop(loop)
        with self._lock:
            self._loops.append(loop)

    def close(self) -> None:
        with self._lock:
            for loop in self._loops:
                loop.close()
            self._loops.clear()


def _request(scope: "Scope", headers: list[tuple[str, str]], body: bytes) -> Request:
    return Request(
        method=scope["method"],
        raw_path=scope["raw_path"].decode("latin-1"),
        raw_query=scope["query_string"].decode("latin-1"),
        headers=tuple(headers),
        body=body,
        source_ip=scope["client"][0] if scope["client"] else "",
        protocol=f"HTTP/{scope['http_version']}",
    )


def _head_bytes(scope: "Scope") -> int:
    line = len(scope["method"]) + len(scope["raw_path"]) + len(scope["query_string"]) + len(" ? HTTP/1.1\r\n")
    return line + sum(len(name) + len(value) + _HEADER_OVERHEAD for name, value in scope["headers"])


async def _read_body(receive: "Receive") -> bytes | None:
    """The body, or None when it is too large.

    What is too large is read on and forgotten, up to a bound: a sender that is cut off in the middle of its
    body sees a broken connection instead of the answer.
    """
    parts: list[bytes] = []
    size = 0
    more = True
    while more and size <= _MAX_DRAINED_BYTES:
        message = await receive()
        part: bytes = message.get("body", b"")
        size += len(part)
        if size <= MAX_BODY_BYTES:
            parts.append(part)
        more = bool(message.get("more_body", False))
    return b"".join(parts) if size <= MAX_BODY_BYTES else None
