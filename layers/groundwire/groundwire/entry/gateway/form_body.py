"""The body of an upload form as it comes in: in pieces, and in time."""

import asyncio
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Final

from groundwire.domain.limits import FORM_SECONDS, MIN_UPLOAD_RATE, UPLOAD_WINDOW_SECONDS

if TYPE_CHECKING:
    from starlette.types import Message, Receive

_DRAIN_SECONDS: Final = 5.0
_MAX_DRAINED_BYTES: Final = 32 * 1024 * 1024
_LEAST_PER_WINDOW: Final = MIN_UPLOAD_RATE * UPLOAD_WINDOW_SECONDS


class SlowSender(Exception):
    """The body comes more slowly than a form or a file may."""


class FormBody:
    """Yields the pieces of one body; the iteration ends with the body, or early when the sender is gone.

    Attributes:
        whole: the body has come to its end.
    """

    def __init__(self, receive: "Receive") -> None:
        self._receive = receive
        self._loop = asyncio.get_running_loop()
        self._ends_at = self._loop.time() + FORM_SECONDS
        self._in_file = False
        self._in_window = 0
        self._gone = False
        self.begun = False
        self.whole = False

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self

    async def __anext__(self) -> bytes:
        """Returns the next piece.

        Raises:
            SlowSender: all before the file took too long, or the file comes below the least rate.
        """
        if self.whole or self._gone:
            raise StopAsyncIteration
        message = await self._next_message()
        if message["type"] == "http.disconnect":
            self._gone = True
            raise StopAsyncIteration
        return self._piece_of(message)

    def begin_file(self) -> None:
        """Ends the time for what precedes the file; from now on the least rate holds."""
        self._in_file = True
        self._open_window()

    async def drain(self) -> bool:
        """Reads what is left and drops it, within bounds; tells whether the body has come to its end.

        A sender that is cut off in the middle of its body sees a broken connection instead of the answer.
        """
        drained = 0
        try:
            async with asyncio.timeout(_DRAIN_SECONDS):
                while not (self.whole or self._gone) and drained <= _MAX_DRAINED_BYTES:
                    message = await self._receive()
                    self._gone = message["type"] == "http.disconnect"
                    drained += len(self._piece_of(message))
        except TimeoutError:
            return False
        return self.whole

    async def _next_message(self) -> "Message":
        self.begun = True
        while True:
            try:
                async with asyncio.timeout_at(self._ends_at):
                    return await self._receive()
            except TimeoutError as problem:
                if not self._in_file or self._in_window < _LEAST_PER_WINDOW:
                    # The rest of a slow body is not drained.
                    self._gone = True
                    raise SlowSender from problem
                self._open_window()

    def _open_window(self) -> None:
        self._in_window = 0
        self._ends_at = self._loop.time() + UPLOAD_WINDOW_SECONDS

    def _piece_of(self, message: "Message") -> bytes:
        piece: bytes = message.get("body", b"")
        self._in_window += len(piece)
        self.whole = message["type"] == "http.request" and not message.get("more_body", False)
        return piece
