"""One exchange of a request for its response, over a connection that is already there."""

import ssl
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from select import POLLIN, poll
from typing import Final
from urllib.parse import urljoin

from groundwire_egress import __version__
from groundwire_egress.connection import BudgetedSocket, CallBudget, connect
from groundwire_egress.destinations import AllowedHosts, Destination, parse_destination
from groundwire_egress.messages import EgressError, EgressRefused, EgressRequest, EgressResponse

Exchange = Callable[[EgressRequest, Destination, AllowedHosts], EgressResponse]
"""Function that returns the response of a destination, redirect or not, if the rules allow it."""

_CHUNK_BYTES: Final = 65_536
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_REPEATABLE: Final = frozenset({"GET", "HEAD"})
_PUBLIC_ONLY: Final = AllowedHosts(frozenset())
_USER_AGENT: Final = {"user-agent": f"groundwire/{__version__}"}
_LAST: Final = {"connection": "close"}


def follow(request: EgressRequest, allowed: AllowedHosts, exchange: Exchange) -> EgressResponse:
    """Return the first response that is no redirect.

    Raises:
        EgressRefused: the destination, or a redirect, must not be called.
        EgressError: there is no response within the limits.
    """
    first = parse_destination(request.url)
    for _ in range(request.limits.redirects + 1):
        destination = parse_destination(request.url)
        # The operator's entries are for what was requested: no other host leads to them.
        rules = allowed if destination.origin == first.origin else _PUBLIC_ONLY
        response = exchange(request, destination, rules)
        if response.status not in _REDIRECTS or "location" not in response.headers:
            return response
        response.close()
        request = _redirected(request, destination, response.headers["location"])
    raise EgressRefused("The answer is a redirect, and redirects are not allowed.")


class HttpChannel:
    """Connection to one address of a host, for one request at a time.

    Args:
        is_kept: it can serve a further request; otherwise it ends with its response.
    """

    def __init__(self, connected: BudgetedSocket, destination: Destination, *, is_kept: bool) -> None:
        connection = (HTTPSConnection if destination.is_tls else HTTPConnection)(destination.host, destination.port)
        # The connection gets its socket and never makes one: it would resolve the name again.
        connection.auto_open = 0
        connection.sock = connected
        self.origin = destination.origin
        self._socket = connected
        self._connection = connection
        self._is_kept = is_kept
        self._is_idle = is_kept
        self._is_closed = False

    def is_usable(self) -> bool:
        """Return whether it is idle and still open; bytes that nobody requested count as its end."""
        if not self._is_idle:
            return False
        # `select` fails for descriptors above 1,023, which a busy server has.
        waiting = poll()
        waiting.register(self._socket, POLLIN)
        return not waiting.poll(0)

    def exchange(self, request: EgressRequest, target: str, budget: CallBudget) -> EgressResponse:
        """Return the response once its header is there.

        Raises:
            OSError: the connection broke, or the time is over.
            HTTPException: the response is no HTTP.
            ValueError: the request cannot be sent.
            EgressError: the response is too large or compressed.
        """
        self._socket.budget = budget
        self._is_idle = False
        headers = {**request.headers, **_USER_AGENT, **({} if self._is_kept else _LAST)}
        # Before anything is received: with the header, the first bytes of the body arrive.
        most_bytes = budget.bytes_left
        with ExitStack() as unanswered:
            unanswered.callback(self.close)
            self._connection.request(request.method, target, request.body, headers)
            response = self._response(self._connection.getresponse(), most_bytes)
            unanswered.pop_all()
        return response

    def close(self) -> None:
        """Close the connection; a second call does nothing."""
        self._is_idle = False
        self._is_closed = True
        self._connection.close()

    def _response(self, response: HTTPResponse, most_bytes: int) -> EgressResponse:
        def close() -> None:
            if not self._is_idle:
                with suppress(OSError):
                    response.close()
                self.close()

        headers: dict[str, str] = {}
        for name, value in response.getheaders():
            key = name.lower()
            headers[key] = f"{headers[key]}, {value}" if key in headers else value
        # The budget counts received bytes: a decompressor could make a thousand times as many of them.
        if headers.get("content-encoding", "identity").strip().lower() != "identity":
            close()
            raise EgressError("The answer is compressed, which was not allowed.")
        if (response.length or 0) > most_bytes:
            close()
            raise EgressError("The response is too large.")
        return EgressResponse(response.status, headers, self._chunks(response), close)

    def _chunks(self, response: HTTPResponse) -> Iterator[bytes]:
        try:
            while chunk := response.read1(_CHUNK_BYTES):
                yield chunk
        except (OSError, HTTPException, ValueError) as error:
            raise unavailable(error) from error
        # `read1` ends without an error where the connection ends early; only `read` raises IncompleteRead.
        if response.length:
            raise EgressError("The connection ended before the answer was complete.")
        if self._is_kept and not self._is_closed and not response.will_close:
            response.close()
            self._is_idle = True


def open_channel(
    destination: Destination,
    addresses: Sequence[str],
    budget: CallBudget,
    context: ssl.SSLContext | None,
    *,
    is_kept: bool,
) -> tuple[HttpChannel, str]:
    """Return a channel to the first address that answers, and that address.

    Raises:
        OSError: no address answers, or the certificate is not valid.
    """
    connected = connect(destination, addresses, budget, context)
    with ExitStack() as half_open:
        half_open.callback(connected.close)
        channel = HttpChannel(connected, destination, is_kept=is_kept), str(connected.getpeername()[0])
        half_open.pop_all()
    return channel


def unavailable(error: Exception) -> EgressError:
    """Return the error of a call; it has no text of the other server."""
    if isinstance(error, TimeoutError):
        return EgressError("There was no answer in time.")
    if isinstance(error, ssl.SSLError):
        return EgressError("The certificate of the host is not valid, or TLS failed.")
    return EgressError(f"There was no answer ({type(error).__name__}).")


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
        raise EgressRefused("The answer redirects to another host, which is not allowed.")
    return request._replace(url=url, headers={}, body=None)
