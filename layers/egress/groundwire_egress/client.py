"""The egress client: each host is resolved once, checked, and called at that very address."""

import ssl
from functools import partial
from http.client import HTTPException
from threading import Lock

from groundwire_egress.connection import CallBudget, tls_context
from groundwire_egress.deadline import remaining_seconds
from groundwire_egress.destinations import AllowedHosts, Destination
from groundwire_egress.exchange import follow, open_channel, unavailable
from groundwire_egress.messages import EgressLimits, EgressRequest, EgressResponse
from groundwire_egress.resolution import Resolve, resolve_within, system_addresses
from groundwire_egress.session import EgressSession


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
            EgressError: there is no response within the limits.
        """
        budget = CallBudget(remaining_seconds(request.limits.seconds), request.limits.response_bytes)
        return follow(request, self._allowed, partial(self._exchange, budget))

    def open(self, limits: EgressLimits, /) -> EgressSession:
        """Return a session for the requests of one call, whose time starts now."""
        return EgressSession(limits, self._allowed, self._resolve, self._tls_context)

    def _exchange(
        self, budget: CallBudget, request: EgressRequest, destination: Destination, rules: AllowedHosts
    ) -> EgressResponse:
        rules.check(destination)
        host, port = destination.host, destination.port
        try:
            phase = budget.phase(request.limits.connect_seconds)
            addresses = resolve_within(self._resolve, host, port, phase.seconds_left())
            rules.check_addresses(destination, addresses)
            context = self._tls_context() if destination.is_tls else None
            channel, _ = open_channel(destination, addresses, phase, context, is_kept=False)
            return channel.exchange(request, destination.target, budget)
        except (OSError, HTTPException, ValueError) as error:
            raise unavailable(error) from error

    def _tls_context(self) -> ssl.SSLContext:
        with self._lock:
            if self._context is None:
                self._context = tls_context(self._ca_file)
            return self._context
