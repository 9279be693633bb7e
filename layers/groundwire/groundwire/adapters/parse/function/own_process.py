"""The parser function's own process: what a worker sees of it, what outlives a worker, and its end."""

import json
import os
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Final, NamedTuple, NoReturn

from groundwire_readers.sandbox import prctl
from groundwire_readers.sandbox.process_settings import process_settings

_ANSWER_SECONDS: Final = 10
_ATTEMPTS: Final = 100
"""Attempts to end descendants: each finds those that the ones before it had started."""
_PAUSE_SECONDS: Final = 0.01
"""Time for the end of processes that were killed."""
_PARENT_FIELD: Final = 1
"""Field of /proc/PID/stat after the name, which is in parentheses. Source: proc(5)."""


class Descendants(NamedTuple):
    """Processes below this one that its cleanup found, and what it could not undo.

    Attributes:
        ended: number of those that it ended.
        left: why some may still run, or what a document changed; empty: nothing is left.
    """

    ended: int
    left: str


class OwnProcess:
    """The process of the function, to which a worker may do as little as the kernel lets this process decide."""

    def __init__(self) -> None:
        self._settings = process_settings(os.getpid())

    def protect(self) -> None:
        """Hide memory, environment and open files from workers, and take over the processes that they leave behind."""
        if sys.platform == "linux":
            prctl.hide_from_same_user()
            prctl.adopt_orphans()

    def end_descendants(self, fork_server: int | None) -> Descendants:
        """Kill all processes that this one started or took over; return their number and whether something is left.

        Changed settings of this process are left, too: the next document would meet them.

        Args:
            fork_server: id of the child that is kept. A fork server with children of its own was ended before, so that
                they are children of this process.
        """
        ended = 0
        try:
            for _ in range(_ATTEMPTS):
                children = [pid for pid in _children(os.getpid()) if pid != fork_server]
                if not children:
                    return Descendants(ended, self._changes())
                ended += _end(children)
        except OSError as error:
            return Descendants(ended, f"a process cannot be found or ended ({type(error).__name__})")
        return Descendants(ended, f"processes were still there after {_ATTEMPTS} attempts to end them")

    def _changes(self) -> str:
        is_same = process_settings(os.getpid()) == self._settings
        return "" if is_same else "a document changed limits or the priority of this process"

    def answer_and_end(self, runtime_api: str, request_id: str, answer: Mapping[str, object]) -> NoReturn:
        """Deliver the answer of the invocation, then end this process, so that Lambda starts the next one afresh.

        The runtime would deliver the answer after the handler's return only, and then wait for the next document.
        Source: the Lambda runtime API, "Invocation response".

        Args:
            runtime_api: host and port, from the variable AWS_LAMBDA_RUNTIME_API.
            request_id: id of the invocation.
            answer: what the caller receives.
        """
        _deliver_and_end(runtime_api, f"{request_id}/response", answer, {})

    def fail_and_end(self, runtime_api: str, request_id: str, error: Exception) -> NoReturn:
        """Deliver the error of the invocation, then end this process; `answer_and_end` explains the arguments.

        Source: the Lambda runtime API, "Invocation error".
        """
        kind = type(error).__name__
        report = {"errorType": kind, "errorMessage": str(error)}
        _deliver_and_end(runtime_api, f"{request_id}/error", report, {"Lambda-Runtime-Function-Error-Type": kind})


def _deliver_and_end(runtime_api: str, path: str, body: Mapping[str, object], headers: Mapping[str, str]) -> NoReturn:
    try:
        connection = HTTPConnection(runtime_api, timeout=_ANSWER_SECONDS)
        content = json.dumps(body, ensure_ascii=True)
        connection.request("POST", f"/2018-06-01/runtime/invocation/{path}", content, dict(headers))
        # Lambda has the answer only when its API has replied.
        connection.getresponse().read()
        # `os._exit` flushes nothing.
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        # Also where nothing was delivered: Lambda then reports the end of the process to the caller.
        os._exit(0)


def _children(parent: int) -> list[int]:
    found: list[int] = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            # Processes of others may end meanwhile.
            with suppress(OSError):
                stat = (folder / "stat").read_text(encoding="utf-8", errors="replace")
                # The name of a process may have spaces and brackets.
                if int(stat.rpartition(")")[2].split()[_PARENT_FIELD]) == parent:
                    found.append(int(folder.name))
    return found


def _end(pids: Sequence[int]) -> int:
    """Kill processes; return how many of them have ended.

    All are killed before one is waited for: a process is reported to the one that traces it first, which may be another
    of them.
    """
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    time.sleep(_PAUSE_SECONDS)
    ended = 0
    for pid in pids:
        with suppress(ChildProcessError):
            ended += os.waitpid(pid, os.WNOHANG)[0] == pid
    return ended
