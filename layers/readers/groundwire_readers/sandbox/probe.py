"""Report of what the kernel enforces on a worker: a process confines itself as a worker does, and then tries.

Started as `python -m groundwire_readers.sandbox.probe MEMORY_MB PARENT_ID`; it writes one JSON list.
"""

import json
import mmap
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from groundwire_readers.sandbox.confinement import confine, limit_cpu_seconds
from groundwire_readers.sandbox.processes.process import ParserLimits
from groundwire_readers.sandbox.processes.program import worker_environment

_TIMEOUT_SECONDS: Final = 30
_SYSTEM_CALLS: Final = "cannot open sockets or reach other processes (seccomp)"
_FILES: Final = "can open no files but its own libraries (Landlock)"
_MEMORY: Final = "has a limit of memory"
_PROCESSOR: Final = "has a limit of processor time per document"
_WALL: Final = "has a limit of time per document"
_MEGABYTE: Final = 1_048_576


@dataclass(frozen=True, slots=True)
class Restriction:
    """Single restriction of the document parser.

    Attributes:
        restriction: what the parser cannot do, as the rest of a sentence about it.
        detail: what was tried, and what the kernel answered.
    """

    restriction: str
    enforced: bool
    detail: str

    @property
    def is_required(self) -> bool:
        """Need of a worker: it reads no file without this restriction, except in the parser function."""
        return self.restriction == _SYSTEM_CALLS

    def __str__(self) -> str:
        state = "enforced" if self.enforced else f"NOT enforced on {sys.platform} ({self.detail})"
        return f"The document parser {self.restriction}: {state}."


def confinement_report(limits: ParserLimits | None = None) -> list[Restriction]:
    """Return each restriction as a process found it that was started and confined like a worker."""
    given = limits or ParserLimits()
    command = [sys.executable, "-m", __name__, str(given.memory_mb), str(os.getpid())]
    try:
        tried = subprocess.run(
            command, env=worker_environment(), capture_output=True, timeout=_TIMEOUT_SECONDS, check=True, cwd=os.sep
        )
        found = [Restriction(*each) for each in json.loads(tried.stdout)]
    except (OSError, subprocess.SubprocessError, ValueError, TypeError) as error:
        reason = f"the trial failed: {type(error).__name__}"
        found = [
            Restriction(each, enforced=False, detail=reason) for each in (_SYSTEM_CALLS, _FILES, _MEMORY, _PROCESSOR)
        ]
    return [*found, Restriction(_WALL, enforced=True, detail=f"its parent ends it after {given.wall_seconds:g} s")]


def _try_all(memory_mb: int, parent_pid: int) -> list[tuple[str, bool, str]]:
    confine(memory_mb, parent_pid, [], allow_unconfined=True)
    limit_cpu_seconds(_TIMEOUT_SECONDS)
    calls = [_tried("socket", _open_socket), _tried("kill", lambda: os.kill(parent_pid, 0))]
    file = _tried("open", lambda: os.close(os.open("/proc/self/status", os.O_RDONLY)))
    memory = _tried("mmap", lambda: mmap.mmap(-1, (memory_mb + 1) * _MEGABYTE).close())
    return [
        (_SYSTEM_CALLS, all(refused for refused, _ in calls), ", ".join(detail for _, detail in calls)),
        (_FILES, *file),
        (_MEMORY, *memory),
        (_PROCESSOR, *_processor_limit()),
    ]


def _tried(name: str, attempt: Callable[[], object]) -> tuple[bool, str]:
    """Return whether the kernel refused, and its answer in words."""
    try:
        attempt()
    # The kernel let the call pass: only the file is missing.
    except FileNotFoundError:
        return False, f"{name}: no such file"
    except (OSError, MemoryError) as error:
        return True, f"{name}: {getattr(error, 'strerror', None) or 'refused'}"
    return False, f"{name}: allowed"


def _open_socket() -> None:
    socket.socket(socket.AF_INET, socket.SOCK_STREAM).close()


def _processor_limit() -> tuple[bool, str]:
    if sys.platform == "win32":
        return False, "this system has no such limit"
    import resource

    soft, _ = resource.getrlimit(resource.RLIMIT_CPU)
    return soft != resource.RLIM_INFINITY, f"the system ends it after {soft} s"


if __name__ == "__main__":
    sys.stdout.write(json.dumps(_try_all(*map(int, sys.argv[1:3]))))
