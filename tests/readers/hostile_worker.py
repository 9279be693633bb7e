"""A worker, confined like the real one, that does what the document orders: what a hijacked parser would try."""

import ctypes
import errno
import fcntl
import os
import platform
import resource
import signal
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from groundwire_readers.contents.parsed import Block, BlockKind, ParsedDocument
from groundwire_readers.ocr import NoTextFound, OcrPages
from groundwire_readers.sandbox.processes.worker import ParseFunction, serve

_IO_URING_SETUP = 425
_CLONE3 = 435
_PARENT_DEATH_SIGNAL = 1
_X32_GETPID = 0x40000000 + 39
_SET_OWNER, _SET_SIGNAL, _SET_OWNER_EX, _SET_LEASE = 8, 10, 15, 1024
_IOCTL_OWNER, _IOCTL_GROUP, _SET_FLAGS = 0x8901, 0x8902, 0x40086602
_FURTHER_CALLS = {
    "x86_64": {
        "shmget": 29,
        "semget": 64,
        "msgget": 68,
        "mq_open": 240,
        "mq_notify": 244,
        "inotify_init": 253,
        "inotify_init1": 294,
        "inotify_add_watch": 254,
        "fanotify_init": 300,
        "open_by_handle_at": 304,
        "settimeofday": 164,
        "clock_settime": 227,
        "adjtimex": 159,
        "clock_adjtime": 305,
        "umount2": 166,
        "chroot": 161,
        "mount": 165,
        "swapon": 167,
        "quotactl": 179,
        "acct": 163,
        "sethostname": 170,
        "setdomainname": 171,
        "open_tree": 428,
        "fsopen": 430,
        "mount_setattr": 442,
        "fchmodat2": 452,
        "setxattrat": 463,
        "removexattrat": 466,
        "file_setattr": 469,
        "migrate_pages": 256,
        "kcmp": 312,
    },
    "aarch64": {
        "shmget": 194,
        "semget": 190,
        "msgget": 186,
        "mq_open": 180,
        "mq_notify": 184,
        "inotify_init1": 26,
        "inotify_add_watch": 27,
        "fanotify_init": 262,
        "open_by_handle_at": 265,
        "settimeofday": 170,
        "clock_settime": 112,
        "adjtimex": 171,
        "clock_adjtime": 266,
        "umount2": 39,
        "chroot": 51,
        "mount": 40,
        "swapon": 224,
        "quotactl": 60,
        "acct": 89,
        "sethostname": 161,
        "setdomainname": 162,
        "open_tree": 428,
        "fsopen": 430,
        "mount_setattr": 442,
        "fchmodat2": 452,
        "setxattrat": 463,
        "removexattrat": 466,
        "file_setattr": 469,
        "migrate_pages": 238,
        "kcmp": 272,
    },
}
_ATTACHMENT_TREES = {"unix": 1, "inet": 2, "inet6": 10, "netlink": 16, "packet": 17}
_kept: list[bytearray] = []


def obey(content: bytes, file_type: str, scans: OcrPages | None) -> ParsedDocument:
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


def _scanned_pages(pages: int, scans: OcrPages | None) -> ParsedDocument:
    """Return a document of scanned pages; each page that was to be recognised has a paragraph with its number."""
    recognised = () if scans is None else scans.pages
    blocks = tuple(Block(BlockKind.PARAGRAPH, f"what stands on page {page}", page=page) for page in recognised)
    if not blocks:
        raise NoTextFound("there is no text on its pages", pages)
    return ParsedDocument("application/pdf", None, blocks, pages, pages - len(blocks))


def _socket(attachment_tree: str) -> str:
    try:
        with socket.socket(
            _ATTACHMENT_TREES[attachment_tree],
            socket.SOCK_RAW if attachment_tree in ("netlink", "packet") else socket.SOCK_STREAM,
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


def _attributes(path: str) -> str:
    """Every way to another mode, owner, time or attribute of a file; the outcomes that there were."""
    deeds: list[Callable[[], object]] = [
        lambda: Path(path).chmod(0o666),
        lambda: os.lchown(path, os.getuid(), os.getgid()),
        lambda: os.chown(path, os.getuid(), os.getgid()),
        lambda: os.utime(path, (0, 0)),
        lambda: os.setxattr(path, "user.mark", b"x"),
        lambda: os.removexattr(path, "user.mark"),
    ]
    return " ".join(sorted({_attempt(deed) for deed in deeds}))


def _attributes_of_open_file() -> str:
    handle = os.open(os.__file__, os.O_RDONLY)
    deeds: list[Callable[[], object]] = [
        lambda: os.fchmod(handle, 0o666),
        lambda: os.fchown(handle, os.getuid(), os.getgid()),
        lambda: os.utime(handle, (0, 0)),
        lambda: os.setxattr(handle, "user.mark", b"x"),
        lambda: fcntl.ioctl(handle, _SET_FLAGS, struct.pack("l", 0)),
        lambda: fcntl.fcntl(handle, _SET_LEASE, fcntl.F_RDLCK),
    ]
    return " ".join(sorted({_attempt(deed) for deed in deeds}))


def _signal_by_pipe(pid: str) -> str:
    """What is written to the pipe kills its owner, if it may get one."""
    reader, writer = os.pipe()
    outcomes = {
        _attempt(lambda: fcntl.fcntl(reader, _SET_OWNER, int(pid))),
        _attempt(lambda: fcntl.fcntl(reader, _SET_OWNER_EX, struct.pack("ii", 1, int(pid)))),
        _attempt(lambda: fcntl.fcntl(reader, _SET_SIGNAL, signal.SIGKILL)),
        _attempt(lambda: fcntl.ioctl(reader, _IOCTL_OWNER, struct.pack("i", int(pid)))),
        _attempt(lambda: fcntl.ioctl(reader, _IOCTL_GROUP, struct.pack("i", int(pid)))),
    }
    fcntl.fcntl(reader, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
    os.write(writer, b"x")
    return " ".join(sorted(outcomes))


def _calls(machine: str) -> str:
    """The names of further calls that are not refused."""
    numbers = _FURTHER_CALLS[machine]
    # Arguments that no call accepts: where the filter lets it through, the answer is another than EPERM, or it is done.
    return " ".join(name for name, number in numbers.items() if _system_call(number, *[-1] * 6) != "EPERM")


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


def _brackets() -> str:
    text = b'{"document":[' + b"[]," * 300_000 + b"0]}"
    answer = struct.pack(">Q", len(text)) + text
    os.write(4, struct.pack(">Q", len(answer)))
    sent = 0
    while sent < len(answer):
        sent += os.write(4, answer[sent:])
    return "sent"


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
    "change open file": _attributes_of_open_file,
    "further calls": lambda: _calls(platform.machine()),
    "brackets": _brackets,
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
    "change": _attributes,
    "signal": _signal_by_pipe,
    "create": lambda path: _open(path, os.O_WRONLY | os.O_CREAT),
}


def _load() -> ParseFunction:
    return obey


if __name__ == "__main__":
    serve(_load)
