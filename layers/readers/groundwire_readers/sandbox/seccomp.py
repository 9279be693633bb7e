"""A seccomp filter that refuses this process access to the network, other processes and files' attributes.

Sources: linux/filter.h, linux/seccomp.h, linux/audit.h, asm-generic/fcntl.h, asm-generic/ioctls.h.
"""

import ctypes
import errno
import os
import platform
import socket
import struct
import sys
from dataclasses import dataclass
from typing import Final

from groundwire_readers.sandbox import prctl
from groundwire_readers.sandbox.system_calls import ARCHITECTURES, CLONE3, Architecture

_ALLOW: Final = 0x7FFF0000
_REFUSE: Final = 0x00050000 | errno.EPERM
_NOT_IMPLEMENTED: Final = 0x00050000 | errno.ENOSYS
"""Result on which the C library falls back to the older call, whose flags the filter can see."""
_KILL_PROCESS: Final = 0x80000000
_X32_BIT: Final = 0x40000000
"""Bit in the number of every call of the x32 ABI, which would bypass a filter of x86-64 numbers."""
_CLONE_THREAD: Final = 0x10000
_SOCKET_KIND: Final = 0xF
_OWNERSHIP: Final = (8, 10, 15, 1024, 1026)
"""F_SETOWN, F_SETSIG, F_SETOWN_EX: a pipe then signals another process; F_SETLEASE, F_NOTIFY: watch others' files."""
_TERMINALS: Final = (0x5401, 0x802C542A, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
"""TCGETS, TCGETS2, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX: used by libraries on their own descriptors."""

_LOAD_WORD: Final = 0x20
_AND: Final = 0x54
_JUMP_EQUAL: Final = 0x15
_JUMP_GREATER_OR_EQUAL: Final = 0x35
_RETURN: Final = 0x06
_NUMBER_AT, _ARCH_AT, _ARGUMENTS_AT = 0, 4, 16
_WHOLE: Final = 0xFFFFFFFF


@dataclass(frozen=True, slots=True)
class _Rule:
    """A call that is allowed if the lower half of one argument, masked, is (or is not) one of the values."""

    call: int
    argument: int
    values: tuple[int, ...]
    mask: int = _WHOLE
    allowed_if_equal: bool = True


def architecture() -> Architecture | None:
    """Return the call numbers of this machine; None where no filter is known."""
    if sys.platform != "linux" or sys.maxsize < 2**32 or sys.byteorder != "little":
        return None
    return ARCHITECTURES.get(platform.machine())


def filter_program(machine: Architecture, own_pid: int) -> bytes:
    """Return the filter as an array of `struct sock_filter`; the process `own_pid` may signal itself."""
    lines = [
        _line(_LOAD_WORD, _ARCH_AT),
        # Calls have other numbers on another architecture, whose calls would pass the list below.
        _line(_JUMP_EQUAL, machine.audit_arch, 1, 0),
        _line(_RETURN, _KILL_PROCESS),
        _line(_LOAD_WORD, _NUMBER_AT),
    ]
    if machine.has_x32:
        lines += [_line(_JUMP_GREATER_OR_EQUAL, _X32_BIT, 0, 1), _line(_RETURN, _REFUSE)]
    for number in machine.refused_calls:
        lines += [_line(_JUMP_EQUAL, number, 0, 1), _line(_RETURN, _REFUSE)]
    lines += [_line(_JUMP_EQUAL, CLONE3, 0, 1), _line(_RETURN, _NOT_IMPLEMENTED)]
    for rule in _rules(machine, own_pid):
        lines += _lines(rule)
    return b"".join([*lines, _line(_RETURN, _ALLOW)])


def _rules(machine: Architecture, own_pid: int) -> tuple[_Rule, ...]:
    return (
        _Rule(machine.kill, 0, (own_pid,)),
        _Rule(machine.tgkill, 0, (own_pid,)),
        _Rule(machine.prlimit, 0, (0,)),  # its own limits, not those of its parent
        _Rule(machine.clone, 0, (_CLONE_THREAD,), mask=_CLONE_THREAD),
        # A pair of datagram sockets could send to any address.
        _Rule(machine.socketpair, 1, (socket.SOCK_STREAM,), mask=_SOCKET_KIND),
        _Rule(machine.prctl, 0, (prctl.SET_PARENT_DEATH_SIGNAL,), allowed_if_equal=False),
        _Rule(machine.fcntl, 1, _OWNERSHIP, allowed_if_equal=False),
        _Rule(machine.ioctl, 1, _TERMINALS),
    )


def _lines(rule: _Rule) -> list[bytes]:
    refuse, allow = _line(_RETURN, _REFUSE), _line(_RETURN, _ALLOW)
    count = len(rule.values)
    return [
        _line(_JUMP_EQUAL, rule.call, 0, count + 4),
        _line(_LOAD_WORD, _ARGUMENTS_AT + 8 * rule.argument),
        _line(_AND, rule.mask),
        # An equal value skips the comparisons that remain, and the line for values that are not equal.
        *(_line(_JUMP_EQUAL, value, count - number, 0) for number, value in enumerate(rule.values)),
        *((refuse, allow) if rule.allowed_if_equal else (allow, refuse)),
    ]


def _line(code: int, operand: int, if_true: int = 0, if_false: int = 0) -> bytes:
    """Return one `struct sock_filter`; the jumps count the lines to skip."""
    return struct.pack("<HBBI", code, if_true, if_false, operand)


class _Program(ctypes.Structure):
    """`struct sock_fprog`."""

    _fields_ = (("length", ctypes.c_ushort), ("lines", ctypes.c_void_p))


def install_filter(machine: Architecture) -> None:
    """Activate the filter for this thread and all that it starts; it cannot be removed.

    Raises:
        OSError: the kernel refuses filters.
    """
    code = filter_program(machine, os.getpid())
    lines = ctypes.create_string_buffer(code, len(code))
    program = _Program(len(code) // 8, ctypes.cast(lines, ctypes.c_void_p))
    prctl.set_no_new_privileges()
    prctl.set_filter(ctypes.byref(program))
