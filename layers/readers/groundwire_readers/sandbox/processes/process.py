"""Client of one worker process: requests, replies, timeouts, and the reason for a worker's end."""

import math
import os
import shutil
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from groundwire_readers.contents.limits import MAX_DOCUMENT_IMAGE_BYTES, MAX_IMAGE_BYTES, MAX_IMAGES
from groundwire_readers.contents.parsed import THUMBNAIL_BYTES
from groundwire_readers.errors import UnreadableDocument
from groundwire_readers.ocr import SECONDS_PER_PAGE
from groundwire_readers.sandbox.frames import FrameTooLong, read_frame, write_frame
from groundwire_readers.sandbox.processes.program import RunningWorker
from groundwire_readers.sandbox.processes.worker import (
    DRAW_PAGE,
    EXTRACT_IMAGES,
    EXTRACT_WITH_THUMBNAILS,
    OUT_OF_MEMORY,
    RECOGNISE_IMAGE,
)
from groundwire_readers.sandbox.wire import InvalidReply, TooManyParts, decode

IMAGES_REPLY_BYTES: Final = MAX_DOCUMENT_IMAGE_BYTES + 4_000_000
"""Size of the images of a document with their texts."""
THUMBNAILS_BYTES: Final = MAX_IMAGES * THUMBNAIL_BYTES
"""Size of the thumbnails of a document."""
PICTURE_REPLY_BYTES: Final = MAX_IMAGE_BYTES + 5_000_000
"""Size of the picture of a page with its words, each of which may take 800 bytes, and as JSON 40 bytes more."""
_TEXT_REPLY_BYTES: Final = 1_000_000
_END_SECONDS: Final = 5
"""Time for the exit code of a worker that closed its streams."""
_NOT_STARTED: Final = "the parser does not start"
INVALID_REPLY_REASON: Final = "the parser answered nonsense on this file: save it anew or convert it"
_ALLOCATION_FAILED: Final = (
    b"memory allocation of",
    b"MemoryError",
    b"bad_alloc",
    b"out of memory",
    b"Cannot allocate",
)


@dataclass(frozen=True, slots=True)
class ParserLimits:
    """Limits for one document and for one worker.

    Attributes:
        memory_mb: address space of the worker. cpu_seconds, wall_seconds: per document.
        result_bytes: of the blocks as JSON. result_parts: paragraphs and cells, which cost more than their bytes.
        documents_per_worker: documents after which a worker is replaced.
        recycle_above_mb: peak memory above which it is replaced earlier.
        start_seconds: within which a new worker must be ready.
        document_seconds: for everything about one document, with its images and the recognition of its text.
    """

    memory_mb: int = 2048
    cpu_seconds: int = 120
    wall_seconds: float = 180.0
    result_bytes: int = 256 * 1024 * 1024
    result_parts: int = 2_000_000
    documents_per_worker: int = 200
    recycle_above_mb: int = 1024
    start_seconds: float = 60.0
    document_seconds: float = math.inf


class WorkerTerminated(UnreadableDocument):
    """The worker ended while it read the document; the message is the reason that the owner sees."""


class WorkerProcess:
    """A running worker; used by one thread at a time.

    Attributes:
        deadline: monotonic seconds after which the worker is ended, whatever the limit of a request.
    """

    def __init__(
        self,
        start: Callable[[str], RunningWorker],
        limits: ParserLimits,
        deadline: float = math.inf,
        *,
        has_folder: bool,
    ) -> None:
        """Start the worker and wait until it is ready.

        Args:
            start: starts it in the folder that it gets; raises OSError.
            limits: of a document.
            deadline: see the attribute; the start is in it, too.
            has_folder: it gets an own folder, which is deleted with it. An unconfined worker could leave files behind,
                which must not meet the next document.

        Raises:
            WorkerTerminated: it does not become ready.
        """
        self.deadline = deadline
        self._limits = limits
        self._folder = tempfile.mkdtemp(prefix="groundwire-parse-") if has_folder else None
        try:
            self._worker = start(self._folder or os.sep)
        except OSError as error:
            self._delete_folder()
            raise WorkerTerminated(_NOT_STARTED) from error
        self._exchange((), limits.start_seconds)

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._worker.pid

    @property
    def is_alive(self) -> bool:
        """True unless the process has ended."""
        return self._worker.exit_code(0) is None

    def request(self, content: bytes, file_type: str, ocr_pages: Sequence[int]) -> Mapping[str, object]:
        """Return the worker's reply for one document.

        The pages `ocr_pages`, from 1, are recognised from their pictures, and extend the time limit.

        Raises:
            WorkerTerminated: it crashed, or was ended for taking too long or answering too much.
        """
        pages = " ".join(map(str, ocr_pages)).encode()
        seconds = self._limits.wall_seconds + len(ocr_pages) * SECONDS_PER_PAGE
        return self._exchange((file_type.encode(), content, pages), seconds)

    def extract_images(self, content: bytes, file_type: str, *, with_thumbnails: bool = False) -> Mapping[str, object]:
        """Return the worker's reply with the images of one document.

        Raises:
            WorkerTerminated: see `request`.
        """
        option = EXTRACT_WITH_THUMBNAILS if with_thumbnails else EXTRACT_IMAGES
        max_bytes = IMAGES_REPLY_BYTES + (THUMBNAILS_BYTES if with_thumbnails else 0)
        return self._exchange((file_type.encode(), content, option), self._limits.wall_seconds, max_bytes)

    def recognise_image(self, content: bytes) -> Mapping[str, object]:
        """Return the worker's reply with the text in one image.

        Raises:
            WorkerTerminated: see `request`.
        """
        return self._exchange((b"", content, RECOGNISE_IMAGE), SECONDS_PER_PAGE, _TEXT_REPLY_BYTES)

    def draw_page(self, content: bytes, page: int) -> Mapping[str, object]:
        """Return the worker's reply with the picture of a page of a PDF file.

        Raises:
            WorkerTerminated: see `request`.
        """
        option = DRAW_PAGE + str(page).encode()
        return self._exchange((b"pdf", content, option), self._limits.wall_seconds, PICTURE_REPLY_BYTES)

    def terminate(self) -> bool:
        """Kill the process and delete its folder; return whether nothing of it is left and no later worker is harmed.

        A second call looks at the folder alone.
        """
        is_sound = self._worker.close()
        return self._delete_folder() and is_sound

    def _delete_folder(self) -> bool:
        """Delete the folder; return whether nothing is left of it."""
        if self._folder is None:
            return True
        # Folders within each other exceed Python's stack.
        with suppress(RecursionError):
            shutil.rmtree(self._folder, ignore_errors=True)
        return not Path(self._folder).exists()

    def _exchange(
        self, frames: tuple[bytes, ...], seconds: float, max_bytes: int | None = None
    ) -> Mapping[str, object]:
        reply_bytes = self._limits.result_bytes if max_bytes is None else max_bytes
        left = self.deadline - time.monotonic()
        limit = self._limits.document_seconds if left < seconds else seconds
        overdue = threading.Event()
        # Pipes have no timeout for reading: the end of the process ends the wait.
        watchdog = threading.Timer(max(0.0, min(seconds, left)), self._kill, (overdue,))
        watchdog.daemon = True
        watchdog.start()
        try:
            for frame in frames:
                write_frame(self._worker.requests, frame)
            return decode(read_frame(self._worker.replies, reply_bytes), self._limits.result_parts)
        except FrameTooLong as error:
            self.terminate()
            limit = reply_bytes // 1_048_576
            raise WorkerTerminated(f"its text is larger than {limit} MB: split the file") from error
        except TooManyParts as error:
            self.terminate()
            limit = self._limits.result_parts
            raise WorkerTerminated(f"it has more than {limit:,} paragraphs and cells: split the file") from error
        except InvalidReply as error:
            self.terminate()
            raise WorkerTerminated(INVALID_REPLY_REASON) from error
        except (EOFError, ConnectionError) as error:
            reason = (
                f"reading it took longer than {limit:g} s: split the file"
                if overdue.is_set()
                else self._termination_reason()
            )
            self.terminate()
            raise WorkerTerminated(reason) from error
        finally:
            watchdog.cancel()

    def _kill(self, overdue: threading.Event) -> None:
        overdue.set()
        self._worker.kill()

    def _termination_reason(self) -> str:
        """Return why the worker ended, from its exit code and the end of its stderr."""
        code = self._worker.exit_code(_END_SECONDS)
        if code is None:
            return INVALID_REPLY_REASON
        if code == OUT_OF_MEMORY or any(marker in self._worker.stderr_tail() for marker in _ALLOCATION_FAILED):
            return f"the parser ran out of memory on this file (limit {self._limits.memory_mb} MB): split the file"
        if code == -getattr(signal, "SIGXCPU", 0):
            return f"reading it took more than {self._limits.cpu_seconds} s of processor time: split the file"
        return "the parser crashed on this file: save it anew or convert it"
