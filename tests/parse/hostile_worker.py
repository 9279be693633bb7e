"""A worker, confined like the real one, that does what the document orders: what a hijacked parser would try."""

import ctypes
import errno
import os
import resource
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable

from groundwire.adapters.parse.recognition import NoText, Scans
from groundwire.adapters.parse.worker import Read, serve
from groundwire.domain.documents import Block, BlockKind, ParsedDocument

_IO_URING_SETUP = 425
_CLONE3 = 435
_PARENT_DEATH_SIGNAL = 1
_X32_GETPID = 0x40000000 + 39
_FAMILIES = {"unix": 1, "inet": 2, "inet6": 10, "netlink": 16, "packet": 17}
_kept: list[bytearray] = []


def obey(content: bytes, file_type: str, scans: Scans | None) -> ParsedDocument:
    order, _, argument = content.decode().partition(" ")
    text = _DEEDS[content.decode()]() if content.decode() in _DEEDS else content.decode()
    if order in _DEEDS_TO_A_NAME:
        text = _DEEDS_TO_A_NAME[order](argument)
    if order == "scans":
        return _scanned_pages(int(argument), scans)
    if order == "crumbs":
        return ParsedDocument("text/plain", None, (Block(BlockKind.PARAGRAPH, "x"),) * int(argument), None, 0)
    if order == "unreadable" and scans is not None:
        os.abort()
    pages = 2 if order == "unreadable" else None
    return ParsedDocument("text/plain", None, (Block(BlockKind.PARAGRAPH, text, page=pages),), pages, 0)


def _scanned_pages(pages: int, scans: Scans | None) -> ParsedDocument:
    """A document of so many scanned pages; of those that were to be recognised it says which they were."""
    recognised = () if scans is None else scans.pages
    blocks = tuple(Block(BlockKind.PARAGRAPH, f"what stands on page {page}", page=page) for page in recognised)
    if not blocks:
        raise NoText("there is no text on its pages", pages)
    return ParsedDocument("application/pdf", None, blocks, pages, pages - len(blocks))


def _socket(family: str) -> str:
    try:
        with socket.socket(
            _FAMILIES[family], socket.SOCK_RAW if family in ("netlink", "packet") else socket.SOCK_STREAM
        ):
            return "opened"
    except OSError as error:
        return errno.errorcode[error.errno or 0]


def _open(path: str, flags: int) -> str:
    return _attempt(lambda: os.close(os.open(path, flags, 0o600)), "opened")


def _attempt(deed: Callable[[], object], done: str = "done") -> str:
    try:
        deed()
    except OSError as error:
        return errno.errorcode[error.errno or 0]
    return done


def _fork() -> str:
    def deed() -> None:
        if os.fork() == 0:
            os._exit(0)

    return _attempt(deed)


def _pair(kind: socket.SocketKind) -> str:
    return _attempt(lambda: [end.close() for end in socket.socketpair(socket.AF_UNIX, kind)], "opened")


def _limit_parent() -> str:
    return _attempt(lambda: resource.prlimit(os.getppid(), resource.RLIMIT_CPU))


def _thread() -> str:
    ran: list[str] = []
    thread = threading.Thread(target=lambda: ran.append("ran"))
    thread.start()
    thread.join()
    return ran[0]


def _system_call(number: int, *arguments: int) -> str:
    libc = ctypes.CDLL(None, use_errno=True)
    return "done" if libc.syscall(number, *(arguments or (0, 0))) >= 0 else errno.errorcode[ctypes.get_errno()]


def _outlive_parent() -> str:
    libc = ctypes.CDLL(None, use_errno=True)
    return "done" if libc.prctl(_PARENT_DEATH_SIGNAL, 0, 0, 0, 0) == 0 else errno.errorcode[ctypes.get_errno()]


def _allocate() -> str:
    while True:
        _kept.append(bytearray(16_000_000))


def _allocate_natively() -> str:
    malloc = ctypes.CDLL(None).malloc
    malloc.restype = ctypes.c_void_p
    while malloc(ctypes.c_size_t(16_000_000)):
        pass
    sys.stderr.write("memory allocation of 16000000 bytes failed\n")
    sys.stderr.flush()
    os.abort()


def _abort() -> str:
    os.abort()


def _segfault() -> str:
    os.kill(os.getpid(), signal.SIGSEGV)
    return ""


def _raise() -> str:
    raise LookupError


def _leave() -> str:
    os._exit(0)


def _burn() -> str:
    while True:
        pass


def _hang() -> str:
    time.sleep(600)
    return ""


def _babble() -> str:
    os.write(4, b"\0" * 7 + b"\x03{{{")
    return "babbled"


def _exec() -> str:
    try:
        os.execv("/bin/true", ["true"])
    except OSError as error:
        return errno.errorcode[error.errno or 0]


def _write() -> str:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        handle = os.memfd_create("big")
        for _ in range(64):
            os.write(handle, b"x" * 65_536)
    except OSError as error:
        return errno.errorcode[error.errno or 0]
    return "written"


def _print() -> str:
    print("noise " * 100, flush=True)  # noqa: T201
    os.write(1, b"raw noise")
    return "print"


def _shout() -> str:
    for _ in range(3_000):
        os.write(2, b"noise " * 1_000)
    return "shouted"


def _announce() -> str:
    os.write(4, (1 << 62).to_bytes(8, "big"))
    return "announced"


def _grow() -> str:
    bytearray(b"x" * 150_000_000)
    return "grown"


_DEEDS = {
    "allocate": _allocate,
    "allocate natively": _allocate_natively,
    "abort": _abort,
    "segfault": _segfault,
    "raise": _raise,
    "leave": _leave,
    "burn": _burn,
    "hang": _hang,
    "flood": lambda: "x" * 2_000_000,
    "babble": _babble,
    "fork": _fork,
    "clone3": lambda: _system_call(_CLONE3),
    "thread": _thread,
    "pair": lambda: _pair(socket.SOCK_STREAM),
    "datagrams": lambda: _pair(socket.SOCK_DGRAM),
    "kill parent": lambda: _attempt(lambda: os.kill(os.getppid(), 0)),
    "kill everyone": lambda: _attempt(lambda: os.kill(0, 0)),
    "limit parent": _limit_parent,
    "outlive parent": _outlive_parent,
    "io_uring": lambda: _system_call(_IO_URING_SETUP),
    "x32": lambda: _system_call(_X32_GETPID),
    "exec": _exec,
    "write": _write,
    "environment": lambda: repr(dict(os.environ)),
    "directory": os.getcwd,
    "print": _print,
    "pid": lambda: str(os.getpid()),
    "shout": _shout,
    "announce": _announce,
    "grow": _grow,
}


_DEEDS_TO_A_NAME: dict[str, Callable[[str], str]] = {
    "socket": _socket,
    "read": lambda path: _open(path, os.O_RDONLY),
    "create": lambda path: _open(path, os.O_WRONLY | os.O_CREAT),
}


def _load() -> Read:
    return obey


if __name__ == "__main__":
    serve(_load)
