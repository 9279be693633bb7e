"""Client of one worker process: requests, replies, timeouts, and the reason for a worker's end."""

import math
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, Final, cast

from groundwire.adapters.parse.ocr import SECONDS_PER_PAGE, OcrSettings, to_arguments
from groundwire.adapters.parse.sandbox.frames import FrameTooLong, read_frame, write_frame
from groundwire.adapters.parse.sandbox.wire import InvalidReply, TooManyParts, decode
from groundwire.adapters.parse.sandbox.worker import (
    AS_FAR_AS_POSSIBLE,
    CONFINED,
    EXTRACT_IMAGES,
    EXTRACT_WITH_THUMBNAILS,
    OUT_OF_MEMORY,
    RECOGNISE_IMAGE,
)
from groundwire.domain.documents.parsed import THUMBNAIL_BYTES
from groundwire.domain.errors import DocumentRefused
from groundwire.domain.limits import MAX_DOCUMENT_IMAGE_BYTES, MAX_IMAGES

if TYPE_CHECKING:
    from io import BufferedReader

_TAIL_BYTES: Final = 4096
IMAGES_REPLY_BYTES: Final = MAX_DOCUMENT_IMAGE_BYTES + 4_000_000
"""Size of the images of a document with their texts."""
THUMBNAILS_BYTES: Final = MAX_IMAGES * THUMBNAIL_BYTES
"""Size of the thumbnails of a document."""
_TEXT_REPLY_BYTES: Final = 1_000_000
_CHUNK_BYTES: Final = 65_536
_STDERR_TIMEOUT_SECONDS: Final = 5
"""Timeout for stderr's end: where processes cannot be confined, a grandchild may hold the pipe open."""


class StderrTail:
    """The end of a stream that one thread drains and another reads."""

    def __init__(self) -> None:
        self._tail = b""
        self._finished = threading.Event()

    def drain(self, stream: "BufferedReader") -> None:
        """Read the stream until all writers have closed it; a full pipe would block the writer."""
        with stream:
            while chunk := stream.read1(_CHUNK_BYTES):
                self._tail = (self._tail + chunk)[-_TAIL_BYTES:]
        self._finished.set()

    def result(self) -> bytes:
        """Return the stream's end once the writers have closed it, or after the timeout."""
        self._finished.wait(_STDERR_TIMEOUT_SECONDS)
        return self._tail


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


class WorkerTerminated(DocumentRefused):
    """The worker ended while it read the document; the message is the reason that the owner sees."""


class WorkerProcess:
    """A running worker; used by one thread at a time.

    Attributes:
        deadline: monotonic seconds after which the worker is ended, whatever the limit of a request.
    """

    def __init__(self, module: str, limits: ParserLimits, ocr: OcrSettings | None, *, allow_unconfined: bool) -> None:
        """Start the worker and wait until it is ready; `allow_unconfined` as in `confinement.confine`.

        Raises:
            WorkerTerminated: it does not become ready.
        """
        self.deadline = math.inf
        self._limits = limits
        # An unconfined worker could leave files behind, which must not meet the next document.
        self._folder = tempfile.mkdtemp(prefix="groundwire-parse-") if allow_unconfined else None
        self._stderr_tail = StderrTail()
        self._ended = threading.Event()
        numbers = (limits.memory_mb, limits.cpu_seconds, os.getpid())
        confinement = AS_FAR_AS_POSSIBLE if allow_unconfined else CONFINED
        command = [sys.executable, "-m", module, *map(str, numbers), confinement, *to_arguments(ocr)]
        self._process = _spawn_in_own_thread(command, self._folder or os.sep, self._stderr_tail, self._ended)
        self._requests = cast("BinaryIO", self._process.stdin)
        self._replies = cast("BinaryIO", self._process.stdout)
        self._exchange((), limits.start_seconds)

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """True unless the process has ended."""
        return self._process.poll() is None

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

    def terminate(self) -> None:
        """Kill the process and close its streams."""
        self._kill_group()
        self._process.wait()
        self._stderr_tail.result()
        self._ended.set()
        for stream in (self._requests, self._replies):
            try:
                stream.close()
            except BrokenPipeError:  # unsent bytes for a worker that has ended
                continue
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _exchange(
        self, frames: tuple[bytes, ...], seconds: float, max_bytes: int | None = None
    ) -> Mapping[str, object]:
        reply_bytes = self._limits.result_bytes if max_bytes is None else max_bytes
        left = self.deadline - time.monotonic()
        limit = self._limits.document_seconds if left < seconds else seconds
        overdue = threading.Event()
        watchdog = threading.Timer(max(0.0, min(seconds, left)), self._kill, (overdue,))
        watchdog.daemon = True
        watchdog.start()
        try:
            for frame in frames:
                write_frame(self._requests, frame)
            return decode(read_frame(self._replies, reply_bytes), self._limits.result_parts)
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
        except (EOFError, BrokenPipeError) as error:
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
        self._kill_group()

    def _kill_group(self) -> None:
        """Kill the worker's process group, and with it all processes that the worker started."""
        if sys.platform == "win32":
            self._process.kill()
        elif self._process.returncode is None:  # else its id may belong to another process by now
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def _termination_reason(self) -> str:
        """Return why the worker ended, from its exit code and the end of its stderr."""
        try:
            code = self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            return INVALID_REPLY_REASON
        if code == OUT_OF_MEMORY or any(marker in self._stderr_tail.result() for marker in _ALLOCATION_FAILED):
            return f"the parser ran out of memory on this file (limit {self._limits.memory_mb} MB): split the file"
        if code == -getattr(signal, "SIGXCPU", 0):
            return f"reading it took more than {self._limits.cpu_seconds} s of processor time: split the file"
        return "the parser crashed on this file: save it anew or convert it"


def _spawn_in_own_thread(
    command: Sequence[str], folder: str, stderr_tail: StderrTail, ended: threading.Event
) -> subprocess.Popen[bytes]:
    """Return the started process.

    A thread of its own starts it and drains its stderr until `ended`: the process dies with the thread that started it.
    """
    started: Future[subprocess.Popen[bytes]] = Future()

    def own_process() -> None:
        try:
            process = _spawn(command, folder)
        except OSError as error:
            started.set_exception(error)
            return
        started.set_result(process)
        stderr_tail.drain(cast("BufferedReader", process.stderr))
        ended.wait()

    threading.Thread(target=own_process, name="parse-worker-keeper", daemon=True).start()
    return started.result()


def _spawn(command: Sequence[str], folder: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        close_fds=True,
        cwd=folder,
        env=worker_environment(),
        start_new_session=True,
    )


def worker_environment() -> dict[str, str]:
    """Return only the variables that Python needs to start: no secrets, no proxies, no home."""
    inherited = {name: os.environ[name] for name in ("LD_LIBRARY_PATH", "SYSTEMROOT") if name in os.environ}
    return inherited | {
        "PYTHONPATH": os.pathsep.join(os.path.abspath(path) for path in sys.path if path),  # noqa: PTH100
        "PYTHONSAFEPATH": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUTF8": "1",
        "LC_ALL": "C.UTF-8",
        # Each thread's heap reserves address space of its own, which the memory limit counts.
        "MALLOC_ARENA_MAX": "2",
    }
