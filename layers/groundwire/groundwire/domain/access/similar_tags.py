"""Known tag that a person probably meant instead of one that nobody has."""

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

_LEAST_COMPARED: Final = 4
"""Letters of a value below which one letter makes another value, as in `hr` and `it`."""
_LETTERS_PER_SLIP: Final = 5
_MOST_SLIPS: Final = 2


def nearest_tag(tag: str, known: Iterable[str]) -> str | None:
    """Return the known tag that differs least, if so little that a slip is likely; None without one.

    Tags that differ in a digit, such as `level:1` and `level:2`, are different tags and no slip.
    """
    found: tuple[int, str] | None = None
    for other in known:
        slips = _slips(tag, other)
        if slips is not None and (found is None or (slips, other) < found):
            found = slips, other
    return None if found is None else found[1]


def _slips(tag: str, other: str) -> int | None:
    plain, plain_other = _plain(tag), _plain(other)
    if plain == plain_other:
        return 0
    if re.findall(r"\d", plain) != re.findall(r"\d", plain_other):
        return None
    # The part that differs decides: a long name before the colon must not excuse a different short value.
    parts, other_parts = plain.split(":"), plain_other.split(":")
    if len(parts) == len(other_parts):
        pairs = [(mine, theirs) for mine, theirs in zip(parts, other_parts, strict=True) if mine != theirs]
    else:
        pairs = [(plain, plain_other)]
    slips = 0
    for mine, theirs in pairs:
        allowed = _allowed_slips(mine, theirs)
        if not allowed or (distance := _distance(mine, theirs, allowed)) > allowed:
            return None
        slips += distance
    return slips if slips <= _MOST_SLIPS else None


def _allowed_slips(text: str, other: str) -> int:
    shorter = min(len(text), len(other))
    return 0 if shorter < _LEAST_COMPARED else min(_MOST_SLIPS, max(1, shorter // _LETTERS_PER_SLIP))


def _plain(tag: str) -> str:
    """Return the tag without what people write differently: letter case, separators, forms of a letter."""
    folded = unicodedata.normalize("NFKC", tag).casefold().strip()
    return re.sub(r"[\s_\-]+", "-", re.sub(r"\s*[:=]\s*", ":", folded))


def _distance(text: str, other: str, most: int) -> int:
    """Return the number of letters added, left out, replaced or swapped with the next; at least `most` + 1 beyond it.

    Swapped neighbours count once (optimal string alignment).
    """
    if abs(len(text) - len(other)) > most:
        return most + 1
    before: list[int] = []
    current = list(range(len(other) + 1))
    for row, letter in enumerate(text, start=1):
        earlier, before, current = before, current, [row]
        for column, theirs in enumerate(other, start=1):
            cost = min(before[column] + 1, current[-1] + 1, before[column - 1] + (letter != theirs))
            is_swap = row > 1 and column > 1 and letter == other[column - 2] and text[row - 2] == theirs
            current.append(min(cost, earlier[column - 2] + 1) if is_swap else cost)
    return current[-1]
