"""The egress client: each host is resolved once, checked, and called at that very address."""

import ssl
from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from threading import Lock
from typing import Final
from urllib.parse import urljoin

from groundwire import __version__
from groundwire.adapters.egress.connection import CallBudget, connect, tls_context
from groundwire.adapters.egress.destinations import AllowedHosts, Destination, parse_destination
from groundwire.adapters.egress.messages import EgressLimits, EgressRefused, EgressRequest, EgressResponse
from groundwire.adapters.egress.resolution import Resolve, resolve_within, system_addresses
from groundwire.domain.errors import DomainError, Unavailable
from groundwire.ports.deadline import remaining_seconds

_CHUNK_BYTES: Final = 65_536
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_REPEATABLE: Final = frozenset({"GET", "HEAD"})
_PUBLIC_ONLY: Final = AllowedHosts(frozenset())
_USER_AGENT: Final = {"user-agent": f"groundwire/{__version__}", "connection": "close"}


class EgressClient:
    """Client without cookies, proxies and connections that outlive a call; several threads can use it.

    Args:
        allowed: hosts that are allowed beside port 443 of public addresses.
        ca_file: certificates that count beside those of the system; None: no others.
        resolve: returns the addresses of a host.
    """

    def __init__(self, allowed: AllowedHosts, ca_file: str | None, resolve: Resolve = system_addresses) -> None:
        self._allowed = allowed
        self._ca_file = ca_file
        self._resolve = resolve
        self._lock = Lock()
        self._context: ssl.SSLContext | None = None

    def send(self, request: EgressRequest, /) -> EgressResponse:
        """Return the response once its header is there; redirects within the limits are followed.

        Raises:
            EgressRefused: the destination must not be called.
            Unavailable: there is no response within the limits.
        """
        budget = CallBudget(remaining_seconds(request.limits.seconds), request.limits.response_bytes)
        first = parse_destination(request.url)
        for _ in range(request.limits.redirects + 1):
            destination = parse_destination(request.url)
            # The operator's entries are for what was requested: no other host leads to them.
            rules = self._allowed if destination.origin == first.origin else _PUBLIC_ONLY
            response = self._exchange(request, destination, rules, budget)
            if response.status not in _REDIRECTS or "location" not in response.headers:
                return response
            response.close()
            request = _redirected(request, destination, response.headers["location"])
        raise EgressRefused("The answer is a redirect, which is not followed.")

    def _exchange(
        self, request: EgressRequest, destination: Destination, rules: AllowedHosts, budget: CallBudget
    ) -> EgressResponse:
        rules.check(destination)
        host, port = destination.host, destination.port
        try:
            addresses = resolve_within(self._resolve, host, port, budget.seconds_left())
            rules.check_addresses(destination, addresses)
            context = self._tls_context() if destination.is_tls else None
            # The connection gets its socket and never makes one: it would resolve the name again.
            connection = HTTPConnection(host, port) if context is None else HTTPSConnection(host, port, context=context)
            connection.auto_open = 0
            connection.sock = connect(destination, addresses, budget, context)
        except OSError as error:
            raise _unavailable(error) from error
        try:
            connection.request(request.method, destination.target, request.body, {**request.headers, **_USER_AGENT})
            return _response(connection, connection.getresponse(), request.limits)
        except BaseException as error:
            connection.close()
            if isinstance(error, OSError | HTTPException | ValueError):
                raise _unavailable(error) from error
            raise

    def _tls_context(self) -> ssl.SSLContext:
        with self._lock:
            if self._context is None:
                self._context = tls_context(self._ca_file)
            return self._context


def _response(connection: HTTPConnection, response: HTTPResponse, limits: EgressLimits) -> EgressResponse:
    def close() -> None:
        with suppress(OSError):
            response.close()
        connection.close()

    headers: dict[str, str] = {}
    for name, value in response.getheaders():
        key = name.lower()
        headers[key] = f"{headers[key]}, {value}" if key in headers else value
    if headers.get("content-encoding", "identity").strip().lower() != "identity":
        close()
        raise Unavailable("The answer is compressed, which was not allowed.")
    if (response.length or 0) > limits.response_bytes:
        close()
        raise Unavailable("The response is too large.")
    return EgressResponse(response.status, headers, _chunks(response), close)


def _chunks(response: HTTPResponse) -> Iterator[bytes]:
    try:
        while chunk := response.read1(_CHUNK_BYTES):
            yield chunk
    except (OSError, HTTPException, ValueError) as error:
        raise _unavailable(error) from error
    if response.length:
        raise Unavailable("The connection broke: the answer is not complete.")


def _redirected(request: EgressRequest, destination: Destination, location: str) -> EgressRequest:
    """Return the request that follows a redirect; another origin gets neither headers nor body.

    Raises:
        EgressRefused: the redirect must not be followed.
    """
    url = urljoin(request.url, location.strip()).partition("#")[0]
    followed = parse_destination(url)
    if followed.origin == destination.origin:
        return request._replace(url=url)
    if request.method not in _REPEATABLE:
        raise EgressRefused("The answer is a redirect to another host, which is not followed.")
    return request._replace(url=url, headers={}, body=None)


def _unavailable(error: Exception) -> DomainError:
    """Return the error of a call; it has no text of the other server."""
    if isinstance(error, TimeoutError):
        return Unavailable("There was no answer in time.")
    if isinstance(error, ssl.SSLError):
        return Unavailable("The certificate of the host is not valid, or TLS failed.")
    return Unavailable(f"There was no answer ({type(error).__name__}).")
