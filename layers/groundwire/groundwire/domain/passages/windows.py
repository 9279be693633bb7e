"""Sentence windows: parts of about fifty words, so that one relevant sentence has a vector of its own.

The document's title precedes each window's text in embedding. The similarity of the best window is part of the
passage's semantic score.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from groundwire.domain.passages.lines import CELL_SEPARATOR
from groundwire.domain.text.sentences import sentences

WINDOW_WORDS: Final = 50
_ENTRY_WORDS: Final = 16
"""Words of a window of entries, so that an entry is found by its own words."""
_PAIR: Final = 2
_MIN_ENTRIES: Final = 4
"""Minimum number of such rows in a table of entries."""
_MAX_FIGURE_LETTERS: Final = 3
"""Letters of a value that is a figure: a currency, a unit, a mark."""
_LONGEST: Final = WINDOW_WORDS * 3 // 2


def windows(text: str) -> tuple[str, ...]:
    """Return the windows of a passage, as whole sentences and rows where they fit; none if one window is enough.

    Windows of a table of labels and values or figures are smaller, and each begins with a row.
    """
    packed = [
        window
        for is_entries, lines in _by_entries(text.splitlines())
        for window in _pack_windows(lines, _ENTRY_WORDS if is_entries else WINDOW_WORDS)
    ]
    return tuple(" ".join(words) for words in packed) if len(packed) > 1 else ()


def _by_entries(lines: Sequence[str]) -> Iterator[tuple[bool, list[str]]]:
    """Yield the lines in runs: those of a table of entries, and all else."""
    pending: list[str] = []
    for is_entry, run in groupby(lines, _is_entry):
        # `groupby` shares one iterator: a run is consumed as soon as the next one is read.
        found = list(run)
        if is_entry and len(found) >= _MIN_ENTRIES:
            if pending:
                yield False, pending
            yield True, found
            pending = []
        else:
            pending += found
    if pending:
        yield False, pending


def _is_entry(line: str) -> bool:
    """Return whether the line is a row of a label and its value or figures, or of two such pairs with colons."""
    cells = [cell.strip() for cell in line.split(CELL_SEPARATOR)]
    if len(cells) == _PAIR:
        return all(cells)
    if len(cells) < _PAIR:
        return False
    labels = [label for label in cells[::2] if label]
    is_pairs = len(cells) == 2 * _PAIR and bool(labels) and all(label.endswith(":") for label in labels)
    return is_pairs or _has_figures(cells)


def _has_figures(cells: Sequence[str]) -> bool:
    """Return whether the row has a label and, where its other cells are filled, mostly figures or dashes there."""
    values = [value for value in cells[1:] if value]
    figures = sum(sum(map(str.isalpha, value)) <= _MAX_FIGURE_LETTERS for value in values)
    return bool(cells[0]) and 2 * figures >= len(values)


def _pack_windows(lines: Sequence[str], target: int) -> list[list[str]]:
    """Return windows of about `target` words; the last one is no shorter than a third of that where it can be."""
    packed: list[list[str]] = []
    window: list[str] = []
    for unit in _units(lines):
        if window and len(window) + len(unit) > target + target // 3:
            packed.append(window)
            window = []
        window = window + unit
        if len(window) >= target:
            packed.append(window)
            window = []
    if window:
        packed.append(window)
    if len(packed) > 1 and len(packed[-1]) < target // 3:
        packed[-2:] = [packed[-2] + packed[-1]]
    return packed


def _units(lines: Sequence[str]) -> Iterator[list[str]]:
    """Yield sentences, and entries, as lists of words, splitting the longest ones."""
    for line in lines:
        for sentence in [line] if _is_entry(line) else sentences(line):
            words = sentence.split()
            for start in range(0, len(words), _LONGEST):
                yield words[start : start + _LONGEST]
