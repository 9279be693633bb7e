"""Forged lines: lines of a quoted text in the form of a passage's head or of a source of the same answer.

Such a line loses its number, so that no document can add a passage or a source of another one. Every other line stays
as it is, such as a reference `[1] 10.1000/182` or an index into an array.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import cached_property
from typing import Final

STRUCK: Final = "[struck]"
"""Replacement of a boundary or a number in quoted text; removing it instead could join two halves to a new one."""

_OPENING: Final = "["
_PASSAGE_IDS: Final = r"[0-9a-f]{6}\.[0-9a-f]{6}|doc_[0-9a-f]{16}(?:\.[0-9a-f]+)?"


class ForgedLines:
    """The forms that no line of a quoted text may have, in one answer."""

    def __init__(self, passage_ids: Iterable[str], file_names: Iterable[str]) -> None:
        """Take the ids and the names that the answer itself has; ids in the usual forms are struck in any case."""
        self._ids = list(passage_ids)
        self._names = list(file_names)

    @cached_property
    def _form(self) -> re.Pattern[str]:
        # Compiling takes longer than all else here, and few texts have a line that begins with a bracket.
        ids = "|".join([_PASSAGE_IDS, *map(_pattern, self._ids)])
        names = "|".join(map(_pattern, self._names)) or "(?!)"
        return re.compile(
            rf"\s*(?P<number>\[\d+\])\s*(?:{ids})(?!\S)"
            rf"|\s*(?P<numbers>\[\d+(?:\s*,\s*\d+)*\])\s*(?:also in\s+)?(?:{names})(?!\S)"
        )

    def strike(self, text: str) -> str:
        """Return the text, in which each forged line has `STRUCK` in place of its number."""
        return "".join(map(self._strike_line, text.splitlines(keepends=True)))

    def _strike_line(self, line: str) -> str:
        if not _fold(line.lstrip()[:1]).startswith(_OPENING):
            return line
        # Models read a full-width bracket or digit as the usual one.
        folded = [_fold(character) for character in line]
        found = self._form.match("".join(folded))
        if found is None:
            return line
        start, end = found.span("number" if found["number"] else "numbers")
        return f"{line[: _place(folded, start)]}{STRUCK}{line[_place(folded, end) :]}"


def _fold(text: str) -> str:
    return unicodedata.normalize("NFKC", text)


def _pattern(name: str) -> str:
    """Return the pattern of a name, folded as the lines are, with any white space between its words."""
    return r"\s+".join(re.escape("".join(map(_fold, word))) for word in name.split()) or "(?!)"


def _place(folded: list[str], offset: int) -> int:
    """Return the number of characters whose folded forms have `offset` characters together."""
    length = 0
    for place, each in enumerate(folded):
        if length >= offset:
            return place
        length += len(each)
    return len(folded)
