"""Names and numbers of system calls: recorded from the kernel's sources, and as this machine's headers have them."""

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

_RECORDED: Final = Path(__file__).with_suffix(".json")
_HEADERS: Final = {
    "x86_64": (Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"), Path("/usr/include/asm/unistd_64.h")),
    "aarch64": (Path("/usr/include/asm-generic/unistd.h"),),
}
_DEFINED: Final = re.compile(r"^#define __NR(?P<wide>3264)?_(?P<name>\w+)\s+(?P<number>\d+)\s*$", re.MULTILINE)
_NO_CALLS: Final = frozenset({"arch_specific_syscall", "syscalls", "sync_file_range2"})
"""Definitions of the generic header that name no call of aarch64."""
_FOR_32_BITS: Final = range(403, 424)
_64_BIT_NAMES: Final = {"fstatat": "newfstatat"}
"""Calls that the generic header defines for both sizes of words, by the name that 64 bits have."""


@cache
def recorded(machine: str) -> Mapping[str, int]:
    """Return the recorded numbers by name, for `x86_64` or `aarch64`."""
    return dict(json.loads(_RECORDED.read_text(encoding="utf-8"))[machine])


def of_headers(machine: str) -> Mapping[str, int] | None:
    """Return the numbers that the headers of this machine define; None where it has no such header."""
    header = next((path for path in _HEADERS[machine] if path.is_file()), None)
    if header is None:
        return None
    found = _DEFINED.finditer(header.read_text(encoding="utf-8"))
    numbers = {_name(one): int(one["number"]) for one in found if one["name"] not in _NO_CALLS}
    if machine == "x86_64":
        return numbers
    return {name: number for name, number in numbers.items() if number not in _FOR_32_BITS}


def _name(found: re.Match[str]) -> str:
    return _64_BIT_NAMES.get(found["name"], found["name"]) if found["wide"] else found["name"]
