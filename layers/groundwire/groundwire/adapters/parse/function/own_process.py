"""The parser function's own process: what a worker sees of it, what outlives a worker, and its end."""

import json
import os
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Final, NoReturn

from groundwire.adapters.parse.sandbox import prctl

_ANSWER_SECONDS: Final = 10
_ATTEMPTS: Final = 100
"""Attempts to end descendants: each finds those that the ones before it had started."""
_PARENT_FIELD: Final = 1
"""Field of /proc/PID/stat after the name, which is in parentheses. Source: proc(5)."""


class OwnProcess:
    """The process of the function, to which a worker may do as little as the kernel lets this process decide."""

    def protect(self) -> None:
        """Hide memory, environment and open files from workers, and take over the processes that they leave behind."""
        if sys.platform == "linux":
            prctl.hide_from_same_user()
            prctl.adopt_orphans()

    def end_descendants(self) -> int:
        """Kill all processes that this one started or took over; return how many there were."""
        ended = 0
        for _ in range(_ATTEMPTS):
            children = list(_children(os.getpid()))
            if not children:
                break
            for pid in children:
                ended += _kill(pid)
        return ended

    def answer_and_end(self, runtime_api: str, request_id: str, answer: Mapping[str, object]) -> NoReturn:
        """Deliver the answer of the invocation, then end this process, so that Lambda starts the next one afresh.

        The runtime would deliver the answer after the handler's return only, and then wait for the next document.
        Source: the Lambda runtime API, "Invocation response".

        Args:
            runtime_api: host and port, from the variable AWS_LAMBDA_RUNTIME_API.
            request_id: id of the invocation.
            answer: what the caller receives.
        """
        connection = HTTPConnection(runtime_api, timeout=_ANSWER_SECONDS)
        connection.request(
            "POST", f"/2018-06-01/runtime/invocation/{request_id}/response", json.dumps(answer, ensure_ascii=True)
        )
        connection.getresponse().read()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)


def _children(parent: int) -> list[int]:
    found: list[int] = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            # Processes of others may end meanwhile.
            with suppress(OSError):
                stat = (folder / "stat").read_text(encoding="utf-8", errors="replace")
                if int(stat.rpartition(")")[2].split()[_PARENT_FIELD]) == parent:
                    found.append(int(folder.name))
    return found


def _kill(pid: int) -> int:
    with suppress(ProcessLookupError, ChildProcessError):
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        return 1
    return 0
