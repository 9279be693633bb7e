"""Several requests of one call: each host is resolved once, and one connection serves as many of them as it can."""

import ssl
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from http.client import HTTPException
from types import TracebackType
from typing import TYPE_CHECKING, Final

from groundwire_egress.connection import CallBudget
from groundwire_egress.deadline import remaining_seconds
from groundwire_egress.destinations import AllowedHosts, Destination
from groundwire_egress.exchange import HttpChannel, follow, open_channel, unavailable
from groundwire_egress.messages import EgressError, EgressLimits, EgressRequest, EgressResponse
from groundwire_egress.resolution import Resolve, resolve_within

if TYPE_CHECKING:
    from typing import Self

_REST_SECONDS: Final = 0.1
"""Time to read the rest of a response, so that its connection can serve the next request."""


class EgressSession:
    """Sequence of requests with one budget of time and bytes; one thread uses it, best by `with`.

    A host is resolved for its first request alone. All later ones go to the address that was connected then, over the
    same connection while it lasts. A next request ends the response before it.

    Args:
        limits: of all requests.
        tls_context: returns the rules of TLS.
    """

    def __init__(
        self,
        limits: EgressLimits,
        allowed: AllowedHosts,
        resolve: Resolve,
        tls_context: Callable[[], ssl.SSLContext],
    ) -> None:
        self._budget = CallBudget(remaining_seconds(limits.seconds), limits.response_bytes)
        self._allowed = allowed
        self._resolve = resolve
        self._tls_context = tls_context
        self._addresses: dict[tuple[bool, str, int], Sequence[str]] = {}
        self._channel: HttpChannel | None = None
        self._last: tuple[EgressResponse, CallBudget] | None = None

    def send(self, request: EgressRequest, /) -> EgressResponse:
        """Return the response once its header is there; redirects within the limits are followed.

        Raises:
            EgressRefused: the destination must not be called.
            EgressError: there is no response within the limits of the request and of the session.
        """
        self._end_last()
        part = CallBudget(remaining_seconds(request.limits.seconds), request.limits.response_bytes, self._budget)
        response = follow(request, self._allowed, partial(self._exchange, part))
        self._last = response, part
        return response

    def close(self) -> None:
        """Close the connection; a second call does nothing."""
        if self._channel is not None:
            self._channel.close()

    def __enter__(self) -> "Self":
        """Return the session."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close the connection."""
        self.close()

    def _end_last(self) -> None:
        last, self._last = self._last, None
        if last is None or self._channel is None or self._channel.is_usable():
            return
        response, budget = last
        budget.shorten(_REST_SECONDS)
        with suppress(EgressError):
            response.read()
        response.close()

    def _exchange(
        self, budget: CallBudget, request: EgressRequest, destination: Destination, rules: AllowedHosts
    ) -> EgressResponse:
        rules.check(destination)
        channel = self._channel
        try:
            if channel is not None and channel.origin == destination.origin and channel.is_usable():
                rules.check_addresses(destination, self._addresses[destination.origin])
                # RFC 9112 §9.3.1: a server may close an idle connection at the moment when a request arrives.
                with suppress(*(_BROKEN if request.is_repeatable else ())):
                    return channel.exchange(request, destination.target, budget)
            self.close()
            channel = self._connected(budget.phase(request.limits.connect_seconds), destination, rules)
            return channel.exchange(request, destination.target, budget)
        except (OSError, HTTPException, ValueError) as error:
            raise unavailable(error) from error

    def _connected(self, budget: CallBudget, destination: Destination, rules: AllowedHosts) -> HttpChannel:
        host, port, origin = destination.host, destination.port, destination.origin
        addresses = self._addresses.get(origin)
        if addresses is None:
            addresses = self._addresses[origin] = resolve_within(self._resolve, host, port, budget.seconds_left())
        # Another origin may have led to this one: then the operator's entries do not count.
        rules.check_addresses(destination, addresses)
        context = self._tls_context() if destination.is_tls else None
        channel, address = open_channel(destination, addresses, budget, context, is_kept=True)
        # DNS may answer otherwise by the next connection, so that goes to the address that was checked.
        self._addresses[origin] = [address]
        self._channel = channel
        return channel


_BROKEN: Final = (ConnectionError, ssl.SSLEOFError, ssl.SSLZeroReturnError)
"""Errors of a connection that its server closed; `http.client` reports the end before a response as one of them."""
