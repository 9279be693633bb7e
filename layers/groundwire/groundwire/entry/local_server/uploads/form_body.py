"""The body of an upload form as it comes in: in pieces, and in time."""

import asyncio
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Final

from groundwire.domain.limits import MIN_UPLOAD_BYTES_PER_SECOND, UPLOAD_FORM_HEADER_SECONDS, UPLOAD_WINDOW_SECONDS

if TYPE_CHECKING:
    from starlette.types import Message, Receive

_DRAIN_SECONDS: Final = 5.0
_MAX_DRAINED_BYTES: Final = 32 * 1024 * 1024
_MIN_WINDOW_BYTES: Final = MIN_UPLOAD_BYTES_PER_SECOND * UPLOAD_WINDOW_SECONDS


class SlowSenderError(Exception):
    """The body comes more slowly than a form or a file may."""


class FormBody:
    """Yields the pieces of one body; the iteration ends with the body, or early when the sender is gone.

    Attributes:
        is_complete: the body has come to its end.
    """

    def __init__(self, receive: "Receive") -> None:
        self._receive = receive
        self._loop = asyncio.get_running_loop()
        self._deadline = self._loop.time() + UPLOAD_FORM_HEADER_SECONDS
        self._is_in_file = False
        self._window_bytes = 0
        self._is_disconnected = False
        self.has_started = False
        self.is_complete = False

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self

    async def __anext__(self) -> bytes:
        """Returns the next piece.

        Raises:
            SlowSender: all before the file took too long, or the file comes below the least rate.
        """
        if self.is_complete or self._is_disconnected:
            raise StopAsyncIteration
        message = await self._next_message()
        if message["type"] == "http.disconnect":
            self._is_disconnected = True
            raise StopAsyncIteration
        return self._chunk_of(message)

    def start_file(self) -> None:
        """Ends the time for what precedes the file; from now on the least rate holds."""
        self._is_in_file = True
        self._open_window()

    async def drain(self) -> bool:
        """Reads what is left and drops it, within bounds; tells whether the body has come to its end.

        A sender that is cut off in the middle of its body sees a broken connection instead of the answer.
        """
        drained = 0
        try:
            async with asyncio.timeout(_DRAIN_SECONDS):
                while not (self.is_complete or self._is_disconnected) and drained <= _MAX_DRAINED_BYTES:
                    message = await self._receive()
                    self._is_disconnected = message["type"] == "http.disconnect"
                    drained += len(self._chunk_of(message))
        except TimeoutError:
            return False
        return self.is_complete

    async def _next_message(self) -> "Message":
        self.has_started = True
        while True:
            try:
                async with asyncio.timeout_at(self._deadline):
                    return await self._receive()
            except TimeoutError as problem:
                if not self._is_in_file or self._window_bytes < _MIN_WINDOW_BYTES:
                    # The rest of a slow body is not drained.
                    self._is_disconnected = True
                    raise SlowSenderError from problem
                self._open_window()

    def _open_window(self) -> None:
        self._window_bytes = 0
        self._deadline = self._loop.time() + UPLOAD_WINDOW_SECONDS

    def _chunk_of(self, message: "Message") -> bytes:
        piece: bytes = message.get("body", b"")
        self._window_bytes += len(piece)
        self.is_complete = message["type"] == "http.request" and not message.get("more_body", False)
        return piece
