"""Starts a program on a kernel that refuses what Lambda's refuses: `python -S launcher.py PROGRAM ARGUMENT…`.

The program and all that it starts get EPERM from `prctl(PR_SET_SECCOMP)` and `seccomp()`, so none can install a filter
of its own, and ENOSYS from the three calls of Landlock. People who tried report both of Lambda: EPERM for nested
filters, and kernels of version 5.10, which have no Landlock.

A program of its own that imports the standard library alone: what it starts must not find the tests.
"""

import ctypes
import errno
import os
import struct
import sys
from typing import Final, NamedTuple

_LANDLOCK: Final = (444, 445, 446)
"""landlock_create_ruleset, _add_rule and _restrict_self; the same numbers everywhere."""
_SET_SECCOMP: Final = 22
_SET_NO_NEW_PRIVILEGES: Final = 38
_FILTER_MODE: Final = 2
_NO_X32_BIT: Final = 0xBFFFFFFF
"""Mask under which a call of the x32 ABI has the number of x86-64."""
_LOAD, _AND, _EQUAL, _RETURN = 0x20, 0x54, 0x15, 0x06
_NUMBER_AT, _ARCHITECTURE_AT, _FIRST_ARGUMENT_AT = 0, 4, 16
_ALLOW: Final = 0x7FFF0000
_ERRNO: Final = 0x00050000


class Abi(NamedTuple):
    """Call numbers of one ABI (asm/unistd_64.h, asm/unistd_32.h, asm-generic/unistd.h, asm/unistd.h of arm)."""

    audit_arch: int
    prctl: int
    seccomp: int


ABIS: Final = (
    Abi(0xC000003E, 157, 317),  # x86-64
    Abi(0x40000003, 172, 354),  # i386, which an x86-64 kernel runs, too
    Abi(0xC00000B7, 167, 277),  # aarch64
    Abi(0x40000028, 172, 383),  # arm, which an aarch64 kernel may run
)


def filter_program() -> bytes:
    """Return the filter as an array of `struct sock_filter`, for every ABI of both machines."""
    parts = [_abi_lines(abi) for abi in ABIS]
    return b"".join([_line(_LOAD, _ARCHITECTURE_AT), *parts, _line(_RETURN, _ERRNO | errno.ENOSYS)])


def _abi_lines(abi: Abi) -> bytes:
    refuse, absent = _line(_RETURN, _ERRNO | errno.EPERM), _line(_RETURN, _ERRNO | errno.ENOSYS)
    lines = [
        _line(_LOAD, _NUMBER_AT),
        _line(_AND, _NO_X32_BIT),
        *(line for call in _LANDLOCK for line in (_line(_EQUAL, call, 0, 1), absent)),
        *(_line(_EQUAL, abi.seccomp, 0, 1), refuse),
        *(_line(_EQUAL, abi.prctl, 0, 3), _line(_LOAD, _FIRST_ARGUMENT_AT)),
        *(_line(_EQUAL, _SET_SECCOMP, 0, 1), refuse),
        _line(_RETURN, _ALLOW),
    ]
    return b"".join([_line(_EQUAL, abi.audit_arch, 0, len(lines)), *lines])


def _line(code: int, operand: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("<HBBI", code, if_true, if_false, operand)


class _Program(ctypes.Structure):
    """`struct sock_fprog`."""

    _fields_ = (("length", ctypes.c_ushort), ("lines", ctypes.c_void_p))


def install(code: bytes) -> None:
    """Activate a filter for this thread and all that it starts.

    Raises:
        OSError: this kernel refuses filters itself.
    """
    lines = ctypes.create_string_buffer(code, len(code))
    program = _Program(len(code) // 8, ctypes.cast(lines, ctypes.c_void_p))
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    for option, value, pointer in (
        (_SET_NO_NEW_PRIVILEGES, 1, None),
        (_SET_SECCOMP, _FILTER_MODE, ctypes.byref(program)),
    ):
        if prctl(option, ctypes.c_ulong(value), pointer, ctypes.c_ulong(0), ctypes.c_ulong(0)) != 0:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))


def _main(command: list[str]) -> None:
    install(filter_program())
    os.execvp(command[0], command)


if __name__ == "__main__":
    _main(sys.argv[1:])
