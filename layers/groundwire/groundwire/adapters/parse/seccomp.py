"""A seccomp filter that takes the network, and other processes, away from this process and all its threads to come.

Sources: linux/filter.h, linux/seccomp.h, linux/audit.h; call numbers from asm/unistd_64.h (x86-64) and
asm-generic/unistd.h (aarch64).
"""

import ctypes
import errno
import os
import platform
import struct
import sys
from dataclasses import dataclass
from typing import Final

_PR_SET_NO_NEW_PRIVS: Final = 38
_PR_SET_SECCOMP: Final = 22
_SECCOMP_MODE_FILTER: Final = 2
_ALLOW: Final = 0x7FFF0000
_REFUSE: Final = 0x00050000 | errno.EPERM
_KILL_PROCESS: Final = 0x80000000
_X32_BIT: Final = 0x40000000
"""Set in the number of every call of the x32 ABI, which would walk past a filter of x86-64 numbers."""

_LOAD_WORD: Final = 0x20
_JUMP_EQUAL: Final = 0x15
_JUMP_GREATER_OR_EQUAL: Final = 0x35
_RETURN: Final = 0x06
_NUMBER_AT, _ARCH_AT, _FIRST_ARGUMENT_AT = 0, 4, 16
_AF_UNIX: Final = 1


@dataclass(frozen=True, slots=True)
class Architecture:
    """Numbers of a machine.

    Attributes:
        audit: AUDIT_ARCH_…, in every call's record. socket: the call that is allowed for AF_UNIX only.
        refused: execve, execveat, ptrace, process_vm_readv, process_vm_writev, pidfd_getfd (other processes
            and their sockets) and io_uring_setup (makes sockets without the socket call).
    """

    audit: int
    socket: int
    refused: tuple[int, ...]
    has_x32: bool


ARCHITECTURES: Final = {
    "x86_64": Architecture(0xC000003E, 41, (59, 322, 101, 310, 311, 438, 425), has_x32=True),
    "aarch64": Architecture(0xC00000B7, 198, (221, 281, 117, 270, 271, 438, 425), has_x32=False),
}


def architecture() -> Architecture | None:
    """The numbers of the machine that this runs on; None where no filter is known."""
    if sys.platform != "linux" or sys.maxsize < 2**32 or sys.byteorder != "little":
        return None
    return ARCHITECTURES.get(platform.machine())


def program(machine: Architecture) -> bytes:
    """The filter as an array of `struct sock_filter`."""
    lines = [
        _line(_LOAD_WORD, _ARCH_AT),
        _line(_JUMP_EQUAL, machine.audit, 1, 0),
        _line(_RETURN, _KILL_PROCESS),
        _line(_LOAD_WORD, _NUMBER_AT),
    ]
    if machine.has_x32:
        lines += [_line(_JUMP_GREATER_OR_EQUAL, _X32_BIT, 0, 1), _line(_RETURN, _REFUSE)]
    for number in machine.refused:
        lines += [_line(_JUMP_EQUAL, number, 0, 1), _line(_RETURN, _REFUSE)]
    lines += [
        _line(_JUMP_EQUAL, machine.socket, 0, 3),
        _line(_LOAD_WORD, _FIRST_ARGUMENT_AT),
        _line(_JUMP_EQUAL, _AF_UNIX, 1, 0),
        _line(_RETURN, _REFUSE),
        _line(_RETURN, _ALLOW),
    ]
    return b"".join(lines)


def _line(code: int, operand: int, if_true: int = 0, if_false: int = 0) -> bytes:
    """One `struct sock_filter`; the jumps say how many lines to skip."""
    return struct.pack("<HBBI", code, if_true, if_false, operand)


class _Program(ctypes.Structure):
    """`struct sock_fprog`."""

    _fields_ = (("length", ctypes.c_ushort), ("lines", ctypes.c_void_p))


def install(machine: Architecture) -> None:
    """The filter is in force for this thread and all that it starts; it cannot be taken off.

    Raises:
        OSError: the kernel refuses filters.
    """
    code = program(machine)
    lines = ctypes.create_string_buffer(code, len(code))
    whole = _Program(len(code) // 8, ctypes.cast(lines, ctypes.c_void_p))
    _prctl(_PR_SET_NO_NEW_PRIVS, 1, None)
    _prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(whole))


def _prctl(option: int, value: int, pointer: object) -> None:
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    if prctl(ctypes.c_int(option), ctypes.c_ulong(value), pointer, ctypes.c_ulong(0), ctypes.c_ulong(0)) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
