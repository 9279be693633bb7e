"""Interpreter of filters of system calls: the instructions that the kernel admits for seccomp, with its own checks.

Sources: linux/filter.h, linux/bpf_common.h, and seccomp_check_filter in kernel/seccomp.c.
"""

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

_LINE: Final = struct.Struct("<HBBI")
_DATA: Final = struct.Struct("<iIQ6Q")
_WORD: Final = 0xFFFFFFFF
_LOAD_ABSOLUTE, _AND = 0x20, 0x54
_JUMP, _JUMP_EQUAL, _JUMP_GREATER, _JUMP_GREATER_OR_EQUAL, _JUMP_IF_SET = 0x05, 0x15, 0x25, 0x35, 0x45
_RETURN: Final = 0x06
_CONDITIONAL: Final = frozenset({_JUMP_EQUAL, _JUMP_GREATER, _JUMP_GREATER_OR_EQUAL, _JUMP_IF_SET})
_KNOWN: Final = _CONDITIONAL | {_LOAD_ABSOLUTE, _AND, _JUMP, _RETURN}
_LONGEST: Final = 4_096


def assembled(lines: Sequence[tuple[int, int, int, int]]) -> bytes:
    """Return instructions (code, jump if true, jump if false, operand) as an array of `struct sock_filter`."""
    return b"".join(_LINE.pack(*line) for line in lines)


class InvalidFilterError(Exception):
    """Error for a program that the kernel would not take."""


@dataclass(frozen=True, slots=True)
class SystemCall:
    """A system call as a filter sees it (`struct seccomp_data`).

    Attributes:
        architecture: AUDIT_ARCH_… of the caller.
    """

    number: int
    architecture: int
    arguments: Sequence[int] = ()

    def packed(self) -> bytes:
        """Return the structure in bytes, little-endian."""
        given = [argument & (2**64 - 1) for argument in self.arguments]
        return _DATA.pack(self.number, self.architecture, 0, *given, *[0] * (6 - len(given)))


class Filter:
    """A checked program.

    Raises:
        InvalidFilterError: an instruction is unknown, a jump or a load leaves its bounds, or the end returns nothing.
    """

    def __init__(self, program: bytes) -> None:
        if not program or len(program) % _LINE.size or len(program) // _LINE.size > _LONGEST:
            raise InvalidFilterError(f"{len(program)} bytes")
        self._lines = list(_LINE.iter_unpack(program))
        for position, (code, if_true, if_false, operand) in enumerate(self._lines):
            if code not in _KNOWN:
                raise InvalidFilterError(f"line {position}: instruction {code:#x}")
            self._check_bounds(position, code, if_true, if_false, operand)
        if self._lines[-1][0] != _RETURN:
            raise InvalidFilterError("the last line does not return")

    def _check_bounds(self, position: int, code: int, if_true: int, if_false: int, operand: int) -> None:
        last = len(self._lines) - 1
        skipped = max(if_true, if_false) if code in _CONDITIONAL else operand if code == _JUMP else 0
        if position + 1 + skipped > last and code != _RETURN:
            raise InvalidFilterError(f"line {position}: a jump beyond the end")
        if code == _LOAD_ABSOLUTE and (operand % 4 or operand + 4 > _DATA.size):
            raise InvalidFilterError(f"line {position}: a load at {operand}")

    def decide(self, call: SystemCall) -> int:
        """Return what the program returns for this call: SECCOMP_RET_… and its data."""
        data = call.packed()
        accumulator, position = 0, 0
        while True:
            code, if_true, if_false, operand = self._lines[position]
            position += 1
            if code == _RETURN:
                return operand
            if code == _LOAD_ABSOLUTE:
                (accumulator,) = struct.unpack_from("<I", data, operand)
            elif code == _AND:
                accumulator &= operand & _WORD
            elif code == _JUMP:
                position += operand
            else:
                position += if_true if _holds(code, accumulator, operand) else if_false


def _holds(code: int, accumulator: int, operand: int) -> bool:
    if code == _JUMP_EQUAL:
        return accumulator == operand
    if code == _JUMP_GREATER:
        return accumulator > operand
    if code == _JUMP_GREATER_OR_EQUAL:
        return accumulator >= operand
    return bool(accumulator & operand)
