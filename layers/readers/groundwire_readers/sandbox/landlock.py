"""Landlock: restricts this thread, and all that it starts, to reading files in given folders.

Source: linux/landlock.h; the call numbers are the same on every machine.
"""

import ctypes
import os
import struct
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from groundwire_readers.sandbox.prctl import set_no_new_privileges

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION_FLAG: Final = 1
_PATH_RULE: Final = 1
"""LANDLOCK_RULE_PATH_BENEATH."""
_READ: Final = 1 << 2 | 1 << 3
"""LANDLOCK_ACCESS_FS_READ_FILE and …_READ_DIR."""
_READ_FILE: Final = 1 << 2
_RIGHTS_OF_ABI_1: Final = (1 << 13) - 1
_RIGHTS_BY_ABI: Final = ((2, 1 << 13), (3, 1 << 14), (5, 1 << 15))
"""Rights that later versions added: to move between folders, to truncate, to control devices."""


def abi_version() -> int:
    """Return the kernel's Landlock version; 0 where it has none."""
    if sys.platform != "linux":
        return 0
    return max(0, _libc().syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(_VERSION_FLAG)))


def allow_reading_only(paths: Sequence[Path]) -> None:
    """Forbid opening any file except for reading in these paths; open files stay open.

    Raises:
        OSError: the kernel refuses the rules.
    """
    handled_rights = _RIGHTS_OF_ABI_1 | sum(right for since, right in _RIGHTS_BY_ABI if abi_version() >= since)
    # Only the first field of the structure: later ones are for networks and signals, which the filter of calls refuses.
    attributes = struct.pack("=Q", handled_rights)
    rules = _system_call(_CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), ctypes.c_uint32(0))
    try:
        for path in paths:
            _allow(rules, path)
        set_no_new_privileges()
        _system_call(_RESTRICT_SELF, ctypes.c_int(rules), ctypes.c_uint32(0))
    finally:
        os.close(rules)


def _allow(rules: int, path: Path) -> None:
    if not path.exists():
        return
    opened = os.open(path, getattr(os, "O_PATH", 0) | os.O_CLOEXEC)
    try:
        rights = _READ if path.is_dir() else _READ_FILE
        rule = struct.pack("=Qi", rights, opened)
        _system_call(_ADD_RULE, ctypes.c_int(rules), ctypes.c_int(_PATH_RULE), rule, ctypes.c_uint32(0))
    finally:
        os.close(opened)


def _system_call(number: int, *arguments: object) -> int:
    result = _libc().syscall(number, *arguments)
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)
