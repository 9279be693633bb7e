"""The fork server's own process: it has the readers in memory, reads no file, and forks a worker for each document.

Its standard input is a socket. A request is the byte `FORK` with three descriptors: the worker's standard input and
output, which are one socket, its standard error, and its folder. The worker answers with `STARTED` and its id, the
server with `EXITED` and the exit code. The server reaps the worker after the byte `RELEASE` and answers with `REAPED`
and 0, or 1: it has children that it never forked. Each answer is a byte and a number of 4 bytes, big-endian.
"""

import gc
import os
import socket
import struct
from collections.abc import Callable, Sequence
from typing import Final, NoReturn

ANSWER: Final = struct.Struct(">ci")
FORK: Final = b"f"
RELEASE: Final = b"r"
STARTED: Final = b"s"
EXITED: Final = b"e"
REAPED: Final = b"d"
_DESCRIPTORS: Final = 3
_LAST_DESCRIPTOR: Final = 1 << 20


def fork_workers(work: Callable[[int], NoReturn]) -> NoReturn:
    """Fork a worker for each request, one after the other, until the other side closes the socket.

    Args:
        work: what a worker does; it gets the id of the process that it must not outlive.
    """
    channel = socket.socket(fileno=0)
    os.dup2(2, 1)
    # Objects that exist by now are never collected: collection would write to their pages, which workers share.
    gc.collect()
    gc.freeze()
    server = os.getpid()
    while True:
        message, descriptors, _, _ = socket.recv_fds(channel, len(FORK), _DESCRIPTORS)
        # Fewer descriptors: there was no room for them, since a worker may have lowered the limit of this process.
        if message != FORK or len(descriptors) != _DESCRIPTORS:
            os._exit(0)
        pid = os.fork()
        if pid == 0:
            _become_worker(channel, descriptors)
            work(server)
        for descriptor in descriptors:
            os.close(descriptor)
        channel.sendall(ANSWER.pack(EXITED, _exit_code(pid)))
        if channel.recv(len(RELEASE)) != RELEASE:
            os._exit(0)
        # Only now: until here the id cannot belong to another process, so that the client can kill by it.
        os.waitpid(pid, 0)
        channel.sendall(ANSWER.pack(REAPED, _has_children()))


def _become_worker(channel: socket.socket, descriptors: Sequence[int]) -> None:
    """Leave everything of the server behind: its session, its socket, its descriptors and its folder."""
    stream, stderr, folder = descriptors
    os.setsid()
    os.fchdir(folder)
    os.dup2(stream, 1)
    os.dup2(stderr, 2)
    channel.sendall(ANSWER.pack(STARTED, os.getpid()))
    channel.detach()
    os.dup2(stream, 0)
    os.closerange(3, _LAST_DESCRIPTOR)


def _exit_code(pid: int) -> int:
    """Return the exit code as `subprocess` gives it; the process stays, so that its id means no other one."""
    ended = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    if ended is None:
        raise ChildProcessError(pid)
    return ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status


def _has_children() -> bool:
    """Return whether a worker made this process the parent of another one, by the flag CLONE_PARENT of clone(2)."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT | os.WNOHANG)
    except ChildProcessError:
        return False
    return True
