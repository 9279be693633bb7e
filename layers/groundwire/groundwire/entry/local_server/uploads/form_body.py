"""Body of an upload form as a stream of chunks with time limits."""

import asyncio
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Final

from groundwire.domain.errors import DomainError
from groundwire.domain.limits import MIN_UPLOAD_BYTES_PER_SECOND, UPLOAD_FORM_HEADER_SECONDS, UPLOAD_WINDOW_SECONDS

if TYPE_CHECKING:
    from starlette.types import Message, Receive

_DRAIN_SECONDS: Final = 5.0
_MAX_DRAINED_BYTES: Final = 32 * 1024 * 1024
_MIN_WINDOW_BYTES: Final = MIN_UPLOAD_BYTES_PER_SECOND * UPLOAD_WINDOW_SECONDS


class SlowSenderError(DomainError):
    """An error for a body that arrives more slowly than the limits allow."""


class FormBody:
    """The chunks of one body; the iteration ends with the body, or early when the sender disconnects.

    Attributes:
        has_started: the first chunk was requested.
        is_complete: the body has ended.
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
        """Return the next chunk.

        Raises:
            SlowSenderError: the part before the file took too long, or the file arrives below the minimum rate.
        """
        if self.is_complete or self._is_disconnected:
            raise StopAsyncIteration
        message = await self._next_message()
        if message["type"] == "http.disconnect":
            self._is_disconnected = True
            raise StopAsyncIteration
        return self._chunk_of(message)

    def start_file(self) -> None:
        """End the time limit for the part before the file; from now on the minimum rate applies."""
        self._is_in_file = True
        self._open_window()

    async def drain(self) -> bool:
        """Read and drop the rest, within limits; return whether the body has ended.

        A sender that is cut off in the middle of its body sees a broken connection instead of the response.
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
            except TimeoutError as error:
                if not self._is_in_file or self._window_bytes < _MIN_WINDOW_BYTES:
                    # The rest of a slow body is not drained.
                    self._is_disconnected = True
                    raise SlowSenderError from error
                self._open_window()

    def _open_window(self) -> None:
        self._window_bytes = 0
        self._deadline = self._loop.time() + UPLOAD_WINDOW_SECONDS

    def _chunk_of(self, message: "Message") -> bytes:
        chunk: bytes = message.get("body", b"")
        self._window_bytes += len(chunk)
        self.is_complete = message["type"] == "http.request" and not message.get("more_body", False)
        return chunk
