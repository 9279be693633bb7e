"""Connections end if a request head or the rest of a body takes too long, or if others need their place."""

import asyncio
from collections import Counter
from typing import Any, Final, Literal

import h11
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from groundwire.entry.runtime.address_limit import network_of

HEAD_TIMEOUT_SECONDS: Final = 10.0
"""Time from the start of a connection, or the first bytes of a later request, to the end of the head."""


DRAIN_TIMEOUT_SECONDS: Final = 10.0
"""Time from a response that precedes the end of the request's body to that end; the rest is dropped."""


_SPARE_CONNECTIONS: Final = 16
"""Connections below the limit at which incomplete ones give way, so that a complete request finds a place."""


_INCOMPLETE: Final = frozenset({h11.IDLE, h11.SEND_BODY})


class ReadTimeoutProtocol(H11Protocol):
    """Uvicorn's protocol with absolute time limits for heads and for the rest of answered bodies.

    Uvicorn restarts its own limit with each byte. Here further bytes do not extend a limit. Near the limit of
    connections, each new one ends an incomplete one: of the address with the most connections, and there the oldest.
    So opening connections again and again takes the places of the one who does it.
    """

    head_timeout_seconds: float = HEAD_TIMEOUT_SECONDS
    drain_timeout_seconds: float = DRAIN_TIMEOUT_SECONDS

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._timer: asyncio.TimerHandle | None = None
        self._timed_part: Literal["head", "rest"] | None = None
        self.opened_at: float = self.loop.time()
        self.network = ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the timeout for the first head."""
        super().connection_made(transport)
        self.network = network_of(self.client[0]) if self.client else ""
        self._update_timer()
        if self.limit_concurrency is not None and len(self.connections) > self.limit_concurrency - _SPARE_CONNECTIONS:
            self._end_incomplete()

    def data_received(self, data: bytes) -> None:
        """Read the data; further bytes of a head, or of an answered request's body, do not extend its timeout."""
        super().data_received(data)
        self._update_timer()

    def on_response_complete(self) -> None:
        """Start the timeout for the rest of this request, or for the next request's head if a part of it arrived."""
        super().on_response_complete()
        if self.conn.their_state is h11.SEND_BODY or self.conn.trailing_data[0]:
            self._update_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timeout."""
        super().connection_lost(exc)
        self._start_timer(None)

    def _end_incomplete(self) -> None:
        others: list[ReadTimeoutProtocol] = [
            each for each in self.connections if isinstance(each, ReadTimeoutProtocol) and each is not self
        ]
        counts = Counter(each.network for each in others)
        # An ended connection is in the set until the next iteration of the loop, and gives no further place.
        incomplete = [
            each for each in others if each.conn.their_state in _INCOMPLETE and not each.transport.is_closing()
        ]
        if incomplete:
            # A body may be an upload that goes on, so heads and idle connections end before bodies.
            slowest = max(
                incomplete,
                key=lambda each: (counts[each.network], each.conn.their_state is h11.IDLE, -each.opened_at),
            )
            slowest.transport.abort()

    def _update_timer(self) -> None:
        if self.conn.their_state is h11.IDLE:
            self._start_timer("head")
        elif self.conn.their_state is h11.SEND_BODY and self.conn.our_state is h11.DONE:
            self._start_timer("rest")
        else:
            self._start_timer(None)

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
