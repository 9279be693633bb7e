"""Client of the fork server, a process that has imported the readers and forks a worker for each document."""

import os
import signal
import socket
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from typing import BinaryIO, Final, cast

from groundwire_readers.sandbox.process_settings import ProcessSettings, process_settings
from groundwire_readers.sandbox.processes.forking import ANSWER, EXITED, FORK, REAPED, RELEASE, STARTED
from groundwire_readers.sandbox.processes.program import Program, StderrTail, close_streams

END_SECONDS: Final = 5
"""Time that the server has for its answer about a worker that was killed."""


class ForkServer:
    """Process that forks workers, one at a time; it starts with the first worker, and again after it was lost.

    The server has no variable of this process, no file of a document and no secret: a worker inherits its memory.
    """

    def __init__(self, command: Callable[[], Sequence[str]], start_seconds: float) -> None:
        """Initialise; no process is started.

        Args:
            command: makes the arguments of the Python interpreter for a worker module that forks.
            start_seconds: within which a worker must exist, its server started before.
        """
        self._command = command
        self._start_seconds = start_seconds
        self._server: _StartedServer | None = None

    @property
    def pid(self) -> int | None:
        """The id of the server's process; None if it is missing."""
        return None if self._server is None else self._server.program.pid

    def start(self, folder: str) -> "ForkedWorker":
        """Return a new worker in this folder.

        Raises:
            OSError: no worker starts, also not by a new server.
        """
        if self._server is not None:
            # A worker before may have lowered the server's limits, by prlimit(2), or ended it.
            with suppress(OSError):
                return self._fork(self._server, folder)
            self.close()
        self._server = _start_server(self._command())
        try:
            return self._fork(self._server, folder)
        except OSError:
            self.close()
            raise

    def _fork(self, server: "_StartedServer", folder: str) -> "ForkedWorker":
        with ExitStack() as theirs, ExitStack() as ours:
            directory = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
            theirs.callback(os.close, directory)
            stderr, logged = os.pipe()
            ours.callback(os.close, stderr)
            theirs.callback(os.close, logged)
            stream, given = socket.socketpair()
            ours.enter_context(stream)
            theirs.enter_context(given)
            socket.send_fds(server.channel, [FORK], [given.fileno(), logged, directory])
            pid = server.answer(STARTED, self._start_seconds)
            if pid is None:
                raise TimeoutError
            ours.pop_all()
        return ForkedWorker(self, server, pid, stream, stderr)

    def close(self) -> None:
        """End the server, and with it its worker."""
        server, self._server = self._server, None
        if server is not None:
            server.channel.close()
            server.program.close()


def _start_server(arguments: Sequence[str]) -> "_StartedServer":
    ours, theirs = socket.socketpair()
    with theirs:
        try:
            program = Program(arguments, os.sep, theirs)
        except OSError:
            ours.close()
            raise
    return _StartedServer(program, ours, process_settings(program.pid))


@dataclass(frozen=True, slots=True)
class _StartedServer:
    program: Program
    channel: socket.socket
    settings: ProcessSettings

    def has_its_settings(self) -> bool:
        """Return whether no worker has changed the settings of the server, which later workers inherit."""
        try:
            return process_settings(self.program.pid) == self.settings
        except ProcessLookupError:
            return False

    def answer(self, kind: bytes, seconds: float) -> int | None:
        """Return the number of the server's next answer; None if none comes in time.

        Raises:
            OSError: the server has ended, or gives another answer.
        """
        self.channel.settimeout(seconds)
        try:
            given = self.channel.recv(ANSWER.size, socket.MSG_WAITALL)
        except (TimeoutError, BlockingIOError):
            return None
        if len(given) < ANSWER.size:
            raise ConnectionResetError
        found, number = ANSWER.unpack(given)
        if found != kind:
            raise ConnectionAbortedError(found)
        return cast("int", number)


class ForkedWorker:
    """A worker that a fork server forked; it is a `RunningWorker`."""

    def __init__(
        self, fork_server: ForkServer, server: _StartedServer, pid: int, stream: socket.socket, stderr: int
    ) -> None:
        self._fork_server = fork_server
        self._server = server
        self._pid = pid
        self._stream = stream
        self._requests = stream.makefile("wb")
        self._replies = stream.makefile("rb")
        self._tail = StderrTail()
        drained = os.fdopen(stderr, "rb")
        threading.Thread(target=self._tail.drain, args=(drained,), name="parse-worker-stderr", daemon=True).start()
        self._code: int | None = None
        self._is_closed = False
        self._lock = threading.Lock()

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._pid

    @property
    def requests(self) -> BinaryIO:
        """The worker's standard input."""
        return self._requests

    @property
    def replies(self) -> BinaryIO:
        """The worker's standard output."""
        return self._replies

    def exit_code(self, seconds: float) -> int | None:
        """Return the exit code, the negative number of the signal that ended it, or None.

        None: it runs on so long. A worker whose server has ended, was killed with it.
        """
        if self._code is None:
            try:
                self._code = self._server.answer(EXITED, seconds)
            except OSError:
                self._code = -signal.SIGKILL
        return self._code

    def stderr_tail(self) -> bytes:
        """Return the end of what it wrote to stderr, once all writers have closed it."""
        return self._tail.result()

    def kill(self) -> None:
        """Kill its process group, and end both streams, which a process that left the group may hold."""
        with suppress(OSError):
            self._stream.shutdown(socket.SHUT_RDWR)
        with self._lock:
            if not self._is_closed:  # else its id may belong to another process by now
                with suppress(ProcessLookupError):
                    os.killpg(self._pid, signal.SIGKILL)

    def close(self) -> bool:
        """Kill it, wait for its end and close its streams; return whether its server is as it was before.

        Where the server is not, it is ended, too. Its children then come to the process that adopts orphans. A second
        call does nothing.
        """
        self.kill()
        with self._lock:
            was_closed, self._is_closed = self._is_closed, True
        if was_closed:
            return True
        is_sound = self.exit_code(END_SECONDS) is not None and self._reap() and self._server.has_its_settings()
        if not is_sound:
            self._fork_server.close()
        self._tail.result()
        close_streams(self._requests, self._replies)
        self._stream.close()
        return is_sound

    def _reap(self) -> bool:
        """Let the server reap the worker; return whether it has no other child."""
        try:
            self._server.channel.sendall(RELEASE)
            return self._server.answer(REAPED, END_SECONDS) == 0
        except OSError:
            return False
