"""Counts of lists, objects and values in JSON, without building any of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_WINDOW: Final = 1 << 18
"""Bytes examined in one step, so that the memory for counting does not grow with the text."""


@dataclass(frozen=True, slots=True)
class JsonCounts:
    """Counts that are exact up to the first syntax error, beyond which a decoder builds nothing.

    Attributes:
        values: upper bound of values and member names together.
    """

    objects: int
    values: int


def count_json_values(text: bytes) -> JsonCounts:
    """Count the brackets and commas outside of strings."""
    lists = objects = commas = 0
    for outside in _outside_strings(text):
        lists += outside.count(b"[")
        objects += outside.count(b"{")
        commas += outside.count(b",")
    return JsonCounts(objects, 1 + lists + objects + commas)


def _outside_strings(text: bytes) -> Iterator[bytes]:
    is_inside = False
    for window in _windows(text):
        # Backslashes occur only in strings: without escaped ones and escaped quotes, each quote begins or ends one.
        parts = window.replace(rb"\\", b"").replace(rb"\"", b"").split(b'"')
        yield b"".join(parts[1 if is_inside else 0 :: 2])
        is_inside ^= len(parts) % 2 == 0


def _windows(text: bytes) -> Iterator[bytes]:
    """Cut the text into windows, none of which ends between a backslash and the escaped character."""
    start = 0
    while start < len(text):
        window = text[start : start + _WINDOW]
        if (len(window) - len(window.rstrip(b"\\"))) % 2:
            window = text[start : start + _WINDOW + 1]
        yield window
        start += len(window)
