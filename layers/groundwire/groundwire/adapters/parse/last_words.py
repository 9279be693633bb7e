"""What a worker, and every library in it, prints: read to the end, of which the last is kept."""

import threading
from io import BufferedReader
from typing import Final

_KEPT: Final = 4096
_READ: Final = 65_536
_PATIENCE_SECONDS: Final = 5
"""Where processes cannot be confined, one that the worker started may hold its end open."""


class LastWords:
    """The end of a stream that one thread listens to and another asks for."""

    def __init__(self) -> None:
        self._kept = b""
        self._over = threading.Event()

    def listen(self, stream: BufferedReader) -> None:
        """Returns when nobody can write any more; a full pipe would stop the writer."""
        with stream:
            while part := stream.read1(_READ):
                self._kept = (self._kept + part)[-_KEPT:]
        self._over.set()

    def wait(self) -> bytes:
        """Its end, once the writer has gone."""
        self._over.wait(_PATIENCE_SECONDS)
        return self._kept
