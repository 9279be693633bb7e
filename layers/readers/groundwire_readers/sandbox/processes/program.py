"""Start of a Python program that ends with this process, and its end."""

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress
from typing import TYPE_CHECKING, BinaryIO, Final, Protocol, cast

if TYPE_CHECKING:
    from io import BufferedReader

_TAIL_BYTES: Final = 4096
_CHUNK_BYTES: Final = 65_536
_STDERR_TIMEOUT_SECONDS: Final = 5
"""Timeout for stderr's end: where processes cannot be confined, a grandchild may hold the pipe open."""
_END_SECONDS: Final = 5
"""Timeout for the end of a killed process: one that is traced is reported to its tracer first."""


class RunningWorker(Protocol):
    """A started worker: its streams, and its end."""

    @property
    def pid(self) -> int:
        """The id of the process."""
        ...

    @property
    def requests(self) -> BinaryIO:
        """The worker's standard input."""
        ...

    @property
    def replies(self) -> BinaryIO:
        """The worker's standard output."""
        ...

    def exit_code(self, seconds: float) -> int | None:
        """Return the exit code, the negative number of the signal that ended it, or None while it runs."""
        ...

    def stderr_tail(self) -> bytes:
        """Return the end of what it wrote to stderr, once all writers have closed it."""
        ...

    def kill(self) -> None:
        """Kill its process group, and with it the processes that it started and that did not leave the group."""
        ...

    def close(self) -> bool:
        """Kill it, wait for its end and close its streams; return whether what starts workers is as it was before."""
        ...


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


class Program:
    """A Python program with none of this process's variables, in a session of its own; it is a `RunningWorker`."""

    def __init__(self, arguments: Sequence[str], folder: str, stdin: socket.socket | None = None) -> None:
        """Start it in this folder.

        Args:
            arguments: of the Python interpreter.
            folder: its working folder.
            stdin: its standard input; without it, a pipe.

        Raises:
            OSError: it cannot be started.
        """
        self._tail = StderrTail()
        self._ended = threading.Event()
        self._process = self._started([sys.executable, *arguments], folder, stdin)

    def _started(self, command: Sequence[str], folder: str, stdin: socket.socket | None) -> subprocess.Popen[bytes]:
        """Return the started process.

        A thread of its own starts it and drains its stderr until the end: the process dies with the thread that
        started it.
        """
        started: Future[subprocess.Popen[bytes]] = Future()

        def own_process() -> None:
            try:
                process = _spawn(command, folder, stdin)
            except OSError as error:
                started.set_exception(error)
                return
            started.set_result(process)
            self._tail.drain(cast("BufferedReader", process.stderr))
            self._ended.wait()

        threading.Thread(target=own_process, name="parse-worker-keeper", daemon=True).start()
        return started.result()

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._process.pid

    @property
    def requests(self) -> BinaryIO:
        """The standard input, if it is a pipe."""
        return cast("BinaryIO", self._process.stdin)

    @property
    def replies(self) -> BinaryIO:
        """The standard output."""
        return cast("BinaryIO", self._process.stdout)

    def exit_code(self, seconds: float) -> int | None:
        """Return the exit code, the negative number of the signal that ended it, or None while it runs."""
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def stderr_tail(self) -> bytes:
        """Return the end of what it wrote to stderr, once all writers have closed it."""
        return self._tail.result()

    def kill(self) -> None:
        """Kill its process group."""
        if sys.platform == "win32":
            self._process.kill()
        elif self._process.returncode is None:  # else its id may belong to another process by now
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def close(self) -> bool:
        """Kill it, wait for its end and close its streams; return whether it ended."""
        self.kill()
        has_ended = self.exit_code(_END_SECONDS) is not None
        self._tail.result()
        self._ended.set()
        close_streams(*([] if self._process.stdin is None else [self.requests]), self.replies)
        return has_ended


def close_streams(*streams: BinaryIO) -> None:
    """Close the streams, also with bytes that the ended program did not take."""
    for stream in streams:
        with suppress(ConnectionError):
            stream.close()


def _spawn(command: Sequence[str], folder: str, stdin: socket.socket | None) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE if stdin is None else stdin.fileno(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        close_fds=True,
        cwd=folder,
        env=worker_environment(),
        # With a session of its own, its group can be killed without this process.
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
