"""ASGI application: runs each HTTP request as a call on a worker thread, under API Gateway's limits."""

import asyncio
import time
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from groundwire.entry.gateway import responses
from groundwire.entry.gateway.events import GatewayRequest, merged_headers
from groundwire.entry.gateway.responses import GatewayResponse
from groundwire.entry.local_server.connections.forwarding import NO_PROXIES, TrustedProxies
from groundwire.entry.local_server.connections.owner import OWNER
from groundwire.entry.local_server.fair_share import CapacityExceededError
from groundwire.entry.local_server.request_bodies import BodyMemory, ClientDisconnectedError, read_body
from groundwire.entry.local_server.watch import READY_PATH, RequestRecord
from groundwire.entry.local_server.workers import ServerCapacity, WorkerPools
from groundwire.entry.runtime.address_limit import network_of
from groundwire_mcp.transport.origins import NO_ORIGINS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.types import Receive, Scope, Send

    from groundwire.domain.keys.fairness.parties import KnownUsers, Party
    from groundwire.entry.gateway.dispatch import Dispatcher
    from groundwire.entry.local_server.allowed_hosts import HostAllowList
    from groundwire.entry.local_server.open_access import OpenAccess
    from groundwire.entry.local_server.uploads.endpoint import UploadEndpoint
    from groundwire.entry.local_server.watch import Observer, ServerWatch
    from groundwire_mcp.transport.origins import AllowedOrigins

MAX_BODY_BYTES: Final = 10 * 1024 * 1024
MAX_BUFFERED_BYTES: Final = 256 * 1024 * 1024
"""Limit for all buffered bodies together; beyond it the response is 503, which bounds the memory."""
MAX_HEADER_BYTES: Final = 10_240
"""API Gateway's limit for the request line and all headers together."""
INTEGRATION_TIMEOUT_S: Final = 30.0
_CAPACITY: Final = ServerCapacity()
_MAX_DRAINED_BYTES: Final = 4 * MAX_BODY_BYTES
_HEADER_OVERHEAD: Final = len(": \r\n")
_BODY_LENGTH_HEADERS: Final = {b"content-length", b"transfer-encoding"}
_MISDIRECTED: Final = responses.message_response(
    HTTPStatus.MISDIRECTED_REQUEST,
    "This server does not answer under that host name. Use 127.0.0.1, or start it with --allowed-host NAME.",
)
_REQUEST_TIMEOUT: Final = responses.message_response(HTTPStatus.REQUEST_TIMEOUT).with_connection_close()
_STOPPED_RETRY_S: Final = 5
"""Time after which a request that the stop of the server ended may be repeated."""
_READY: Final = ("GET", READY_PATH.encode())
_AMBIGUOUS_BODY_LENGTH: Final = responses.message_response(
    HTTPStatus.BAD_REQUEST, "Send Content-Length or Transfer-Encoding, not both."
).with_connection_close()


@dataclass(frozen=True, slots=True)
class ServerParts:
    """Parts of a server besides the template's functions.

    Attributes:
        uploads: takes uploaded files, and starts with the pending files of an earlier process; None: none are taken.
        origins: pages that may read the gateway's own errors and send uploads.
        open_access: path whose calls need no key; None: every call needs one.
        watch: readiness, and observers of each request; None: there is no `/ready`.
        users: which users of an agent's key have shares of their own; None: they share one.
        proxies: peers whose headers name the address of a caller.
    """

    uploads: "UploadEndpoint | None" = None
    origins: "AllowedOrigins" = NO_ORIGINS
    open_access: "OpenAccess | None" = None
    watch: "ServerWatch | None" = None
    users: "KnownUsers | None" = None
    proxies: TrustedProxies = NO_PROXIES


NO_PARTS: Final = ServerParts()


class GatewayApplication:
    """The functions of a dispatcher, served to the allowed hosts."""

    def __init__(
        self,
        dispatcher: "Dispatcher",
        hosts: "HostAllowList",
        timeout_s: float = INTEGRATION_TIMEOUT_S,
        capacity: ServerCapacity = _CAPACITY,
        parts: ServerParts = NO_PARTS,
    ) -> None:
        self._allowed_hosts = hosts
        self._timeout_s = timeout_s
        self._uploads = parts.uploads
        self._origins = parts.origins
        self._open_access = parts.open_access
        self._dispatcher = dispatcher
        self._watch = parts.watch
        self.proxies: Final = parts.proxies
        self._bodies = BodyMemory(MAX_BUFFERED_BYTES)
        self._workers = WorkerPools(dispatcher, timeout_s, capacity)
        if parts.uploads is not None:
            parts.uploads.let_calls_pass = self._workers.let_calls_pass

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Answer one HTTP request."""
        started = time.perf_counter()
        try:
            answered = await self._answer(scope, receive)
        except asyncio.CancelledError:
            # Only a stop of the server cancels a request: another process, or this one soon, can answer it.
            answered = responses.unavailable(_STOPPED_RETRY_S).with_connection_close()
        response = self._with_cors(answered, scope)
        seconds = time.perf_counter() - started
        headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in response.headers]
        headers.append((b"content-length", str(len(response.body)).encode()))
        await send({"type": "http.response.start", "status": response.status, "headers": headers})
        await send({"type": "http.response.body", "body": response.body})
        # After the response: what becomes of a report changes nothing for the caller.
        if self._watch is not None and self._watch.observers:
            self._report(scope, response, seconds, self._watch.observers)

    def _report(
        self, scope: "Scope", response: GatewayResponse, seconds: float, observers: "Sequence[Observer]"
    ) -> None:
        method = scope["method"]
        route = self._dispatcher.route_of(method, scope["raw_path"].decode("latin-1"))
        record = RequestRecord(method, route, response.status, seconds, len(response.body), self._address(scope))
        for observe in observers:
            observe(record)

    def close(self) -> None:
        """Drop waiting calls and wait for running ones."""
        self._workers.close()
        if self._uploads is not None:
            self._uploads.close()

    def _with_cors(self, response: GatewayResponse, scope: "Scope") -> GatewayResponse:
        """Return an error of the gateway or of the upload endpoint so that a page of an allowed origin may read it.

        Functions set these headers on their own responses.
        """
        is_function_response = any(name == "vary" for name, _ in response.headers)
        if is_function_response or (response.status < HTTPStatus.BAD_REQUEST and not self._is_upload(scope)):
            return response
        origin = merged_headers(_text_headers(scope)).get("origin")
        cors = tuple(self._origins.response_headers(origin).items())
        return replace(response, headers=(*response.headers, *cors))

    def _is_upload(self, scope: "Scope") -> bool:
        return self._uploads is not None and self._uploads.has_path(scope["path"])

    async def _answer(self, scope: "Scope", receive: "Receive") -> "GatewayResponse":
        if {name for name, _ in scope["headers"]} >= _BODY_LENGTH_HEADERS:
            # A proxy may have used the other header: the bytes that follow may be another sender's request.
            return _AMBIGUOUS_BODY_LENGTH
        headers = _text_headers(scope)
        if not self._allowed_hosts.allows([value for name, value in headers if name == "host"]):
            return _MISDIRECTED
        if _header_bytes(scope) > MAX_HEADER_BYTES:
            return responses.HEADERS_TOO_LARGE
        own = await self._own_answer(scope, headers, receive)
        return await self._call(scope, headers, receive) if own is None else own

    async def _own_answer(
        self, scope: "Scope", headers: list[tuple[str, str]], receive: "Receive"
    ) -> "GatewayResponse | None":
        """Return the response of the server itself; None for a request that a route's function answers."""
        if self._watch is not None and (scope["method"], scope["raw_path"]) == _READY:
            return await self._watch.readiness.answer()
        if self._uploads is not None and self._is_upload(scope):
            if scope["method"] == "OPTIONS":
                preflight = self._origins.preflight_response(merged_headers(headers))
                return GatewayResponse(preflight.status, tuple(preflight.headers.items()), preflight.body)
            if scope["method"] == "POST":
                return await self._uploads.answer(scope["path"], merged_headers(headers), receive)
        return None

    async def _call(self, scope: "Scope", headers: list[tuple[str, str]], receive: "Receive") -> "GatewayResponse":
        address = self._address(scope)
        with self._bodies.reservation(network_of(address)) as reservation:
            try:
                async with asyncio.timeout(self._timeout_s):
                    body = await read_body(receive, reservation, MAX_BODY_BYTES, _MAX_DRAINED_BYTES)
            except (TimeoutError, ClientDisconnectedError):
                # A disconnected sender does not get this response.
                return _REQUEST_TIMEOUT
            except CapacityExceededError as error:
                return responses.unavailable(error.retry_after_s).with_connection_close()
            if body is None:
                return responses.BODY_TOO_LARGE
            request = _request(scope, headers, body, address)
            return await self._workers.answer(
                request if self._open_access is None else self._open_access.with_key(request),
                lambda party: _set_owner(scope, party),
            )

    def _address(self, scope: "Scope") -> str:
        """Return the address of the caller; empty for a peer without one."""
        return self.proxies.caller_of(scope["client"][0], scope["headers"]) if scope["client"] else ""


def _set_owner(scope: "Scope", party: "Party") -> None:
    owner = scope.get("state", {}).get(OWNER)
    if owner is not None:
        owner.party = party


def _text_headers(scope: "Scope") -> list[tuple[str, str]]:
    # Invalid UTF-8 must not decode to another user's name: it becomes U+FFFD, which no identity may hold.
    return [(name.decode("latin-1"), value.decode("utf-8", "replace")) for name, value in scope["headers"]]


def _request(scope: "Scope", headers: list[tuple[str, str]], body: bytes, address: str) -> GatewayRequest:
    return GatewayRequest(
        method=scope["method"],
        raw_path=scope["raw_path"].decode("latin-1"),
        raw_query=scope["query_string"].decode("latin-1"),
        headers=tuple(headers),
        body=body,
        source_ip=address,
        protocol=f"HTTP/{scope['http_version']}",
    )


def _header_bytes(scope: "Scope") -> int:
    line = len(scope["method"]) + len(scope["raw_path"]) + len(scope["query_string"]) + len(" ? HTTP/1.1\r\n")
    return line + sum(len(name) + len(value) + _HEADER_OVERHEAD for name, value in scope["headers"])
