"""Connections that do not dawdle: a request head comes whole and in time, or the connection ends."""

import asyncio
from typing import Any, Final, Literal

import h11
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

HEAD_TIMEOUT_SECONDS: Final = 10.0
"""From the opening of a connection, or the first bytes of a later request, to the end of the request's head."""


DRAIN_TIMEOUT_SECONDS: Final = 10.0
"""From an answer that was given before the request's body was read, to the end of that body, which is dropped."""


class ReadTimeoutProtocol(H11Protocol):
    """Uvicorn's protocol, with the time limit that it has between requests for their heads as well.

    Uvicorn starts its own limit anew with each byte. Here bytes that come in drips buy no time, neither for a head nor
    for the rest of a body whose request was answered.
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

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begins to wait for the first head."""
        super().connection_made(transport)
        self._update_timer()

    def data_received(self, data: bytes) -> None:
        """Reads on; further bytes of a head, or of a body whose request was answered, buy it no more time."""
        super().data_received(data)
        self._update_timer()

    def on_response_complete(self) -> None:
        """Begins to wait for what is there in part: the rest of this request, or the next one's head."""
        super().on_response_complete()
        if self.conn.their_state is h11.SEND_BODY or self.conn.trailing_data[0]:
            self._update_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stops waiting."""
        super().connection_lost(exc)
        self._start_timer(None)

    def _update_timer(self) -> None:
        if self.conn.their_state is h11.IDLE:
            self._start_timer("head")
        elif self.conn.their_state is h11.SEND_BODY and self.conn.our_state is h11.DONE:
            self._start_timer("rest")
        else:
            self._start_timer(None)

    def _start_timer(self, awaited: Literal["head", "rest"] | None) -> None:
        if awaited == self._timed_part:
            return
        self._timed_part = awaited
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if awaited is not None:
            seconds = self.head_timeout_seconds if awaited == "head" else self.drain_timeout_seconds
            self._timer = self.loop.call_later(seconds, self.transport.abort)
