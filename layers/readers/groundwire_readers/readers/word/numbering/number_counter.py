"""Numbers of headings and list items, counted as Word counts them."""

import re
from collections.abc import Mapping
from typing import Final

from groundwire_readers.contents.number_formats import number_text
from groundwire_readers.readers.word.numbering.definitions import LEVELS, ListDefinition
from groundwire_readers.readers.word.styles import NumberReference

_NO_LIST: Final = "0"
_LEVEL_PLACEHOLDER: Final = re.compile(r"%([1-9])")
_MAX_LABEL: Final = 200
_PRIVATE_USE: Final = range(0xE000, 0xF900)


class NumberCounter:
    """Counters of all lists of a file."""

    def __init__(self, definitions: Mapping[str, ListDefinition]) -> None:
        self._definitions = definitions
        self._counts: dict[str, list[int | None]] = {}
        self._seen: set[tuple[str, int]] = set()

    def next_label(self, reference: NumberReference) -> str | None:
        """Count one more paragraph and return its label; None for a bullet, empty without a number."""
        definition = self._definitions.get(reference.number_id)
        if definition is None or reference.number_id == _NO_LIST:
            return ""
        level = definition.level_of_style(reference.style) if reference.style else None
        if level is None:
            level = min(reference.level or 0, LEVELS - 1)
        counts = self._counts.setdefault(definition.counter, [None] * LEVELS)
        self._count(reference.number_id, definition, counts, level)
        own = definition.levels[level]
        return None if own.number_format == "bullet" else _label(definition, counts, level)

    def _count(self, number_id: str, definition: ListDefinition, counts: list[int | None], level: int) -> None:
        """Count the item; higher levels without an item yet get their start number."""
        for index in range(level + 1):
            if index in definition.restarts and (number_id, index) not in self._seen:
                self._seen.add((number_id, index))
                counts[index] = None
        for index in range(level):
            if counts[index] is None:
                counts[index] = definition.levels[index].start
        former = counts[level]
        counts[level] = definition.levels[level].start if former is None else former + 1
        for index in range(level + 1, LEVELS):
            restart = definition.levels[index].restart
            # `lvlRestart` counts levels from 1, this code from 0.
            if restart is None or level < restart:
                counts[index] = None


def _label(definition: ListDefinition, counts: list[int | None], level: int) -> str:
    own = definition.levels[level]

    def number(place: re.Match[str]) -> str:
        index = int(place[1]) - 1
        count = counts[index]
        shown = definition.levels[index].start if count is None else count
        used = definition.levels[index].number_format
        if own.is_legal and used not in ("none", "bullet"):
            used = "decimal"
        return number_text(shown, used)

    text = _LEVEL_PLACEHOLDER.sub(number, own.text[:_MAX_LABEL]).strip()
    return "".join(sign for sign in text if ord(sign) not in _PRIVATE_USE)
