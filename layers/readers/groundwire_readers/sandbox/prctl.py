"""Process controls of Linux (linux/prctl.h)."""

import ctypes
import os
import signal
from typing import Final

SET_PARENT_DEATH_SIGNAL: Final = 1
_SET_DUMPABLE: Final = 4
_SET_CHILD_SUBREAPER: Final = 36
_SET_NO_NEW_PRIVILEGES: Final = 38
_SET_SECCOMP: Final = 22
_SECCOMP_MODE_FILTER: Final = 2


def set_no_new_privileges() -> None:
    """Prevent programs that are started from gaining rights; the kernel requires it for filters and Landlock rules."""
    _prctl(_SET_NO_NEW_PRIVILEGES, 1, None)


def die_with_parent(parent_pid: int) -> None:
    """Let the system kill this process when the thread that started it ends.

    Args:
        parent_pid: id of the process that started this one.

    Raises:
        ProcessLookupError: the parent has ended already.
    """
    _prctl(SET_PARENT_DEATH_SIGNAL, signal.SIGKILL, None)
    # The parent may have ended before the call above: then no signal would ever come.
    if os.getppid() != parent_pid:
        raise ProcessLookupError(parent_pid)


def hide_from_same_user() -> None:
    """Forbid other processes of this user to read this process's memory, environment and open files.

    Source: prctl(2), PR_SET_DUMPABLE, and proc(5): the entries in /proc/PID then belong to root. A program that this
    process starts is not hidden.
    """
    _prctl(_SET_DUMPABLE, 0, None)


def adopt_orphans() -> None:
    """Make this process the parent of each descendant whose own parent ends, so that none can hide from it."""
    _prctl(_SET_CHILD_SUBREAPER, 1, None)


def set_filter(program: object) -> None:
    """Activate a seccomp filter; `program` refers to a `struct sock_fprog`."""
    _prctl(_SET_SECCOMP, _SECCOMP_MODE_FILTER, program)


def _prctl(option: int, value: int, pointer: object) -> None:
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    if prctl(ctypes.c_int(option), ctypes.c_ulong(value), pointer, ctypes.c_ulong(0), ctypes.c_ulong(0)) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
