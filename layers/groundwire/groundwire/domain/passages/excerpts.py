"""Excerpts: the sentences and rows of a passage with the most of a question's words."""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import groupby, pairwise
from math import log
from typing import Final

from groundwire.domain.passages.lines import CELL_SEPARATOR, column_names, plain_text
from groundwire.domain.text.sentences import sentences
from groundwire.domain.text.words import words
from groundwire_readers.text.stop_words import ENGLISH_STOP_WORDS

_UNITS: Final = 2
_SECOND_SHARE: Final = 0.5
"""Part of the first unit's weight that the second one needs; less would be a word by chance."""
_MAX_CHARACTERS: Final = 360
_STEM_CHARACTERS: Final = 4
_ENDING_CHARACTERS: Final = 3
_GAP: Final = " … "


@dataclass(frozen=True, slots=True)
class _Unit:
    """Sentence, or row of a table.

    Attributes:
        text: as a person reads it; the cells of a row follow the names of their columns.
        matched: words that can match; not those of the columns, which all rows have.
    """

    text: str
    matched: AbstractSet[str]
    is_row: bool


def excerpt(text: str, phrases: Sequence[str], headings: Sequence[str]) -> str | None:
    """Return the one or two units of the text with the most of the phrases' words; None if no word is in one.

    A word weighs more the fewer units have it (inverse document frequency, Spärck Jones, 1972, over the units of the
    text). Endings of up to three letters do not count, so that `prices` finds `price`. Sentences beside the best one
    fill the room that is left.

    Args:
        text: of the passage.
        phrases: wordings of one question.
        headings: lines above the passage, which the caller shows. All units are about their words, so that these tell
            units apart only where the phrases have no others.
    """
    units = [unit for unit in _units(text) if unit.text not in map(plain_text, headings)]
    wanted = {word for phrase in phrases for word in words(phrase)}
    wanted = wanted - ENGLISH_STOP_WORDS or wanted
    headed = frozenset(word for heading in headings for word in words(heading))
    rest = {word for word in wanted if not any(_is_same(word, other) for other in headed)}
    scores = _scores(units, rest)
    if not any(scores):
        scores = _scores(units, wanted)
    ranked = sorted((place for place, score in enumerate(scores) if score), key=lambda place: (-scores[place], place))
    if not ranked:
        return None
    chosen = [place for place in ranked[:_UNITS] if scores[place] >= _SECOND_SHARE * scores[ranked[0]]]
    return _joined(units, _filled(units, chosen))


def _scores(units: Sequence[_Unit], wanted: AbstractSet[str]) -> list[float]:
    """Return the weight of the wanted words of each unit."""
    matches = [{word for word in wanted if any(_is_same(word, other) for other in unit.matched)} for unit in units]
    weights = {
        word: log(1 + len(units) / sum(word in each for each in matches))
        for word in wanted
        if any(word in each for each in matches)
    }
    return [sum(weights[word] for word in each) for each in matches]


def _filled(units: Sequence[_Unit], ranked: Sequence[int]) -> list[int]:
    """Return the places of the units that have room, in their order: the ranked ones, then sentences beside the first.

    A sentence without the next one is often no answer yet: "Report it at once. The number is 4711."
    """
    first = ranked[0]
    beside = [] if units[first].is_row else [first + 1, first - 1, first + 2, first - 2]
    room = _MAX_CHARACTERS - len(units[first].text)
    found = {first}
    for place in (*ranked[1:], *beside):
        if place in range(len(units)) and place not in found and len(units[place].text) < room:
            found.add(place)
            room -= len(units[place].text) + 1
    return sorted(found)


def _units(text: str) -> Iterator[_Unit]:
    lines = [line for line in text.splitlines() if line.strip()]
    for is_table, group in groupby(lines, lambda line: CELL_SEPARATOR in line):
        if is_table:
            yield from _rows(list(group))
            continue
        for line in group:
            for sentence in map(str.strip, sentences(plain_text(line))):
                yield _Unit(sentence, frozenset(words(sentence)), is_row=False)


def _rows(lines: list[str]) -> Iterator[_Unit]:
    names = column_names(lines)
    for line in lines[1:] if names else lines:
        cells = [plain_text(cell) for cell in line.split(CELL_SEPARATOR)]
        # Names of columns of another number of cells would label the wrong figures.
        labels = [f"{name}: " for name in names] if len(names) == len(cells) else [""] * len(cells)
        shown = [f"{label}{cell}" for label, cell in zip(labels, cells, strict=True) if cell]
        yield _Unit(" · ".join(shown), frozenset(words(line)), is_row=True)


def _is_same(word: str, other: str) -> bool:
    """Return whether two words differ at most in their endings."""
    if word == other:
        return True
    stem = max(_STEM_CHARACTERS, max(len(word), len(other)) - _ENDING_CHARACTERS)
    return len(word) >= stem and word[:stem] == other[:stem]


def _joined(units: Sequence[_Unit], places: Sequence[int]) -> str:
    """Return the units as one text: each row on a line of its own, and a mark where sentences are left out."""
    shown = _cut(units[places[0]].text)
    for before, place in pairwise(places):
        has_row = units[before].is_row or units[place].is_row
        shown += ("\n" if has_row else " " if place == before + 1 else _GAP) + units[place].text
    return shown


def _cut(text: str) -> str:
    if len(text) <= _MAX_CHARACTERS:
        return text
    return f"{text[:_MAX_CHARACTERS].rsplit(' ', 1)[0].rstrip(' ,;:')}…"
