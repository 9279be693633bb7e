"""Connections end if a head, the rest of a body or a response takes too long, or if others need their place."""

import asyncio
from collections import Counter
from typing import Any, Final, Literal

import h11
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from groundwire.domain.keys.fairness.parties import NEW_USERS, Party
from groundwire.entry.local_server.connections.forwarding import TrustedProxies
from groundwire.entry.local_server.connections.owner import OWNER, ConnectionOwner
from groundwire.entry.runtime.address_limit import network_of

MAX_CONNECTIONS: Final = 768
"""Connections at which each new one ends one that waits for its client: more than requests can run and wait."""
MAX_ADDRESS_CONNECTIONS: Final = 64
"""Connections of an address without an admitted key that may wait for their client, but for a moment."""
_MOMENT_SECONDS: Final = 1.0
"""Time for which a new connection of such an address waits all the same: many callers may begin at once."""

HEAD_TIMEOUT_SECONDS: Final = 10.0
"""Time from the start of a connection, or the first bytes of a later request, to the end of the head."""


DRAIN_TIMEOUT_SECONDS: Final = 10.0
"""Time from a response that precedes the end of the request's body to that end; the rest is dropped."""


WRITE_TIMEOUT_SECONDS: Final = 30.0
"""Time from the end of a response to the moment at which the client has taken it; as long as a body may take."""


_INCOMPLETE: Final = frozenset({h11.IDLE, h11.SEND_BODY})


class ReadTimeoutProtocol(H11Protocol):
    """Uvicorn's protocol with absolute time limits for heads, for the rest of answered bodies and for responses.

    Uvicorn restarts its own limit with each byte. Here further bytes do not extend a limit. At the limit of
    connections, each new one ends an incomplete one: of the tenant with the most of them, in it of the key with the
    most, and there the one that waits for longest. Callers without a key count together, and then by address. So
    opening connections again and again takes the places of the one who does it.
    """

    head_timeout_seconds: float = HEAD_TIMEOUT_SECONDS
    drain_timeout_seconds: float = DRAIN_TIMEOUT_SECONDS
    write_timeout_seconds: float = WRITE_TIMEOUT_SECONDS

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        self.owner = ConnectionOwner(Party("", "", NEW_USERS))
        super().__init__(config, server_state, {**app_state, OWNER: self.owner}, _loop)
        self._timer: asyncio.TimerHandle | None = None
        self._timed_part: Literal["head", "rest"] | None = None
        self._write_timer: asyncio.TimerHandle | None = None
        self.waiting_since: float = self.loop.time()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the timeout for the first head."""
        super().connection_made(transport)
        self.owner.party = Party("", network_of(self.client[0]) if self.client else "", NEW_USERS)
        self._update_timer()
        if len(self.connections) > MAX_ADDRESS_CONNECTIONS:
            self._make_room()

    def data_received(self, data: bytes) -> None:
        """Read the data; further bytes of a head, or of an answered request's body, do not extend its timeout."""
        # Before the data is handled, since its response may fill the buffer again.
        self._update_write_timer()
        super().data_received(data)
        self._update_timer()

    def on_response_complete(self) -> None:
        """Start the timeout for the rest of this request, or for the next request's head if a part of it arrived."""
        self.waiting_since = self.loop.time()
        self._update_write_timer()
        super().on_response_complete()
        if self.conn.their_state is h11.SEND_BODY or self.conn.trailing_data[0]:
            self._update_timer()

    def timeout_keep_alive_handler(self) -> None:
        """Close the idle connection; while the client still takes the response, wait once more."""
        if not self.has_unsent_data:
            super().timeout_keep_alive_handler()
        elif not self.transport.is_closing():
            self.timeout_keep_alive_task = self.loop.call_later(
                self.timeout_keep_alive, self.timeout_keep_alive_handler
            )

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timeouts."""
        super().connection_lost(exc)
        self._start_timer(None)
        self._update_write_timer()

    @property
    def has_unsent_data(self) -> bool:
        """Truth of the claim that the client has not taken all of the last response."""
        return self.transport.get_write_buffer_size() > 0

    @property
    def is_incomplete(self) -> bool:
        """Truth of the claim that the connection waits for its client, in either direction."""
        # An ended connection is in the set until the next iteration of the loop, and gives no further place. One that
        # is closing has its place until the client has taken the response.
        return self.has_unsent_data or (self.conn.their_state in _INCOMPLETE and not self.transport.is_closing())

    def _make_room(self) -> None:
        ending = self._slow() if len(self.connections) > MAX_CONNECTIONS else self._slow_of_address()
        if ending:
            counts = Counter(each.owner.party[:level] for each in ending for level in (1, 2, 3))
            max(ending, key=lambda each: each.rank(counts)).transport.abort()

    def _slow(self) -> "list[ReadTimeoutProtocol]":
        others = self._others()
        # Complete requests do not count: many callers behind one proxy are no reason to end the idle ones of others.
        incomplete = [each for each in others if each.is_incomplete]
        # Requests to `/health` pass no queue, so a flood of them may leave nothing else.
        return incomplete or [each for each in others if not each.owner.party.tenant]

    def _slow_of_address(self) -> "list[ReadTimeoutProtocol]":
        if not self._is_bounded:
            return []
        own = [each for each in self._others() if each.owner.party == self.owner.party and each.is_incomplete]
        if len(own) < MAX_ADDRESS_CONNECTIONS:
            return []
        return [each for each in own if self.waiting_since - each.waiting_since >= _MOMENT_SECONDS]

    def _others(self) -> "list[ReadTimeoutProtocol]":
        return [each for each in self.connections if isinstance(each, ReadTimeoutProtocol) and each is not self]

    @property
    def _is_bounded(self) -> bool:
        gateway: object = self.config.app
        proxies = getattr(gateway, "proxies", None)
        return isinstance(proxies, TrustedProxies) and bool(self.client) and proxies.bounds(self.client[0])

    def rank(self, counts: Counter[tuple[str, ...]]) -> tuple[int, int, int, bool, float]:
        """Return the place in the order in which connections end, the last first; `counts` has those of each party."""
        party = self.owner.party
        # A body may be an upload that goes on, so heads and idle connections end before bodies and responses.
        is_idle = self.conn.their_state is h11.IDLE and not self.has_unsent_data
        return counts[party[:1]], counts[party[:2]], counts[party], is_idle, -self.waiting_since

    def _update_timer(self) -> None:
        if self.conn.their_state is h11.IDLE:
            self._start_timer("head")
        elif self.conn.their_state is h11.SEND_BODY and self.conn.our_state is h11.DONE:
            self._start_timer("rest")
        else:
            self._start_timer(None)

    def _update_write_timer(self) -> None:
        """Start the timeout for the buffered rest of a response, or stop it; a further response does not extend it."""
        if not self.has_unsent_data:
            if self._write_timer is not None:
                self._write_timer.cancel()
                self._write_timer = None
        elif self._write_timer is None:
            self._write_timer = self.loop.call_later(self.write_timeout_seconds, self._end_unsent)

    def _end_unsent(self) -> None:
        self._write_timer = None
        # Else the client took the response and sent nothing since: the limit of an idle connection ends it.
        if self.has_unsent_data:
            self.transport.abort()

    def _start_timer(self, timed_part: Literal["head", "rest"] | None) -> None:
        if timed_part == self._timed_part:
            return
        self._timed_part = timed_part
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if timed_part is not None:
            seconds = self.head_timeout_seconds if timed_part == "head" else self.drain_timeout_seconds
            # `close` would wait until the peer has taken what is still buffered.
            self._timer = self.loop.call_later(seconds, self.transport.abort)
