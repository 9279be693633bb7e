"""Rows of tables as a reader gives them, held against the lines that a person sees."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from bench.reading.reading import TableRows
from bench.reading.share import Share
from bench.reading.visual_lines import TableLine
from bench.reading.words import longest_ascent, words

_MIN_NUMBERS: Final = 1
"""Numbers beside the label of a line that is a row by itself; the others may be lines of a row of several."""
_MAX_HELD: Final = 12
"""Lines of one row that are compared with each other."""


@dataclass(frozen=True, slots=True)
class RowFigures:
    """Attributes:
    whole: lines whose words are in one row, in order, without those of another line.
    together: those lines, and others whose words follow each other in the text.
    out_of_order: rows that are not where their lines are, of the rows whose line is certain.
    """

    whole: Share
    combined: Share
    out_of_order: Share


@dataclass(slots=True, eq=False)
class _Row:
    words: tuple[str, ...]
    table: int
    held: list[TableLine] = field(default_factory=list[TableLine])


def row_figures(lines: Sequence[TableLine], tables: Sequence[TableRows], text: str) -> RowFigures:
    """Return how the lines fare in a reader's tables and text."""
    rows = [_Row(_words(cells), number) for number, table in enumerate(tables) for cells in table]
    by_keywords: dict[tuple[str, ...], list[TableLine]] = defaultdict(list)
    for line in lines:
        by_keywords[line.words].append(line)
    index = _index(rows)
    whole = combined = 0
    stream = f" {' '.join(words(text))} "
    holders = {
        declared: [row for row in _candidates(declared, index) if _is_in(declared, row.words)]
        for declared in by_keywords
    }
    for declared, found in holders.items():
        for row in found:
            row.held += by_keywords[declared]
    for declared, same in by_keywords.items():
        count = min(len(same), sum(not _is_joined(row) for row in holders[declared]))
        whole += count
        combined += max(count, min(len(same), stream.count(f" {' '.join(declared)} ")))
    return RowFigures(Share(whole, len(lines)), Share(combined, len(lines)), _out_of_order(rows, by_keywords))


def _words(cells: Sequence[str]) -> tuple[str, ...]:
    return tuple(word for cell in cells for word in words(cell))


def _index(rows: Sequence[_Row]) -> Mapping[str, Sequence[_Row]]:
    found: dict[str, list[_Row]] = defaultdict(list)
    for row in rows:
        for word in dict.fromkeys(row.words):
            found[word].append(row)
    return found


def _candidates(line: Sequence[str], index: Mapping[str, Sequence[_Row]]) -> Sequence[_Row]:
    return min((index.get(word, ()) for word in line), key=len)


def _is_in(line: Sequence[str], row: Sequence[str]) -> bool:
    """Return true when the words are in the row, in order."""
    rest = iter(row)
    return all(word in rest for word in line)


def _is_joined(row: _Row) -> bool:
    """Return true for a row that holds two lines each of which is a row: a label and its numbers."""
    lines = [line for line in row.held if line.numbers >= _MIN_NUMBERS][:_MAX_HELD]
    has = Counter(row.words)
    return any(
        Counter(first.words) + Counter(second.words) <= has
        for at, first in enumerate(lines)
        for second in lines[at + 1 :]
        if first.words != second.words
    )


def _out_of_order(rows: Sequence[_Row], by_keywords: Mapping[tuple[str, ...], Sequence[TableLine]]) -> Share:
    """Count rows by the longest run that is in order; a line belongs to the row that has least besides it."""
    closest: dict[tuple[str, ...], list[_Row]] = {}
    for row in rows:
        for line in row.held:
            best = closest.setdefault(line.words, [row])
            if len(row.words) < len(best[0].words):
                closest[line.words] = [row]
            elif row is not best[0] and len(row.words) == len(best[0].words):
                best.append(row)
    places: dict[int, list[int]] = defaultdict(list)
    for row in rows:
        certain = [
            line.place for line in row.held if len(by_keywords[line.words]) == 1 and closest[line.words] == [row]
        ]
        if certain:
            places[row.table].append(min(certain))
    out = sum(len(found) - longest_ascent(found) for found in places.values())
    return Share(out, sum(map(len, places.values())))
