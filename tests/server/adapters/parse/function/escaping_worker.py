"""A worker that does what its document orders and that a confined worker may not: what a hijacked parser would try."""

import ctypes
import errno
import json
import os
import platform
import resource
import signal
import socket
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from groundwire_readers.contents.parsed import Block, BlockKind, ParsedDocument
from groundwire_readers.ocr import OcrPages
from groundwire_readers.sandbox.processes.worker import ParseFunction, serve

_PARENT_DEATH_SIGNAL = 1
_CLONE_PARENT = 0x8000
_SET_DUMPABLE = 4
_PTRACE_SEIZE = 0x4206


def _tried(attempt: Callable[[], object]) -> object:
    try:
        return attempt()
    except OSError as error:
        return errno.errorcode[error.errno or 0]


def _parents(name: str) -> str:
    with Path(f"/proc/{os.getppid()}/{name}").open("rb") as file:
        return f"{len(file.read(1))} bytes"


def _call(port: str) -> str:
    with socket.create_connection(("127.0.0.1", int(port)), timeout=10) as connection:
        connection.sendall(b"GET /2018-06-01/runtime/invocation/next HTTP/1.0\r\n\r\n")
        return connection.recv(1_000).decode().splitlines()[0]


def _write() -> str:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    Path("empty").touch()
    Path("full").write_bytes(b"x")
    return "written"


def _outlive() -> str:
    _leave(lambda: None)
    return "left"


def _join_parent() -> str:
    """Start a process that is a child of this one's parent, and leaves its group."""
    number = {"x86_64": 56, "aarch64": 220}[platform.machine()]
    if ctypes.CDLL(None).syscall(number, _CLONE_PARENT | signal.SIGCHLD, 0, 0, 0, 0) == 0:
        os.setsid()
        with suppress(OSError):
            os.closerange(0, 64)
        time.sleep(600)
        os._exit(0)
    return "joined"


def _end_parent() -> str:
    """End the parent, and stay."""
    ctypes.CDLL(None).prctl(_PARENT_DEATH_SIGNAL, 0, 0, 0, 0)
    os.kill(os.getppid(), signal.SIGKILL)
    return "ended"


def _stop_parent() -> str:
    os.kill(os.getppid(), signal.SIGSTOP)
    return "stopped"


def _limit(pid: int, kind: int, limit: int) -> str:
    resource.prlimit(pid, kind, (limit, limit))
    return "limited"


def _slow_parent() -> str:
    os.setpriority(os.PRIO_PROCESS, os.getppid(), 19)
    return "slowed"


def _grandparent() -> int:
    return int(Path(f"/proc/{os.getppid()}/stat").read_text().rpartition(")")[2].split()[1])


def _hold_streams() -> None:
    """End, and leave a process outside of the group that keeps the streams open."""
    if os.fork() == 0:
        os.setsid()
        time.sleep(600)
    os._exit(0)


def _trace() -> str:
    """Leave two processes, of which the second traces the first; the kernel reports its end to the second alone."""
    reported, tell = os.pipe()
    _leave(lambda: os.write(tell, b"%d" % os.getpid()))
    traced = int(os.read(reported, 20))
    _leave(lambda: os.write(tell, b"%d" % _seize(traced)))
    return "traced" if os.read(reported, 20) == b"0" else "refused"


def _seize(pid: int) -> int:
    return abs(int(ctypes.CDLL(None).ptrace(_PTRACE_SEIZE, pid, 0, 0)))


def _leave(first: Callable[[], object]) -> None:
    """Start a process that leaves its group and its parent, does something and stays."""
    pid = os.fork()
    if pid == 0:
        os.setsid()
        if os.fork() == 0:
            ctypes.CDLL(None).prctl(_SET_DUMPABLE, 1, 0, 0, 0)
            first()
            with suppress(OSError):
                os.closerange(0, 64)
            time.sleep(600)
        os._exit(0)
    os.waitpid(pid, 0)


def _nest_folders() -> str:
    for _ in range(5_000):
        Path("d").mkdir()
        os.chdir("d")
    return "nested"


def _deeds(argument: str) -> dict[str, Callable[[], object]]:
    return {
        "own variables": lambda: sorted(os.environ),
        "parent's environment": lambda: _parents("environ"),
        "parent's memory": lambda: _parents("mem"),
        "parent's command": lambda: _parents("cmdline"),
        "processes": lambda: str(os.getppid()) in [folder.name for folder in Path("/proc").iterdir()],
        "call": lambda: _call(argument),
        "file": _write,
        "folder": os.getcwd,
        "outlive": _outlive,
        "join parent": _join_parent,
        "end parent": _end_parent,
        "limit parent": lambda: _limit(os.getppid(), resource.RLIMIT_AS, 1 << 20),
        "limit parent's files": lambda: _limit(os.getppid(), resource.RLIMIT_NOFILE, 6),
        "limit parent's data": lambda: _limit(os.getppid(), resource.RLIMIT_DATA, 1 << 24),
        "limit function's files": lambda: _limit(_grandparent(), resource.RLIMIT_NOFILE, 256),
        "slow parent": _slow_parent,
        "hold streams": _hold_streams,
        "trace": _trace,
        "nest folders": _nest_folders,
        "stop parent": _stop_parent,
    }


def _read(content: bytes, _file_type: str, _pages: OcrPages | None) -> ParsedDocument:
    orders, argument = json.loads(content)
    deeds = _deeds(argument)
    text = json.dumps({order: _tried(deeds[order]) for order in orders})
    return ParsedDocument("text/plain", None, (Block(BlockKind.CODE, text),), None, 0)


def _load() -> ParseFunction:
    return _read


if __name__ == "__main__":
    sys.setrecursionlimit(1_000)
    serve(_load)
