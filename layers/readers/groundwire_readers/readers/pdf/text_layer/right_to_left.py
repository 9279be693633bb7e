"""Lines with right-to-left letters: their characters are put into logical order by their places on the page.

PDFium orders such lines too, but it tears left-to-right parts, and it reverses some ligatures.
"""

import sys
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby
from typing import Final

from groundwire_readers.readers.pdf.text_layer.character_boxes import Box
from groundwire_readers.readers.pdf.text_layer.glyph_codes import character_of
from groundwire_readers.readers.pdf.text_layer.logical_order import MIRRORED, logical_order
from groundwire_readers.readers.pdf.text_layer.text_style import TextStyle

_FIRST_RIGHT_TO_LEFT: Final = 0x590
"""First code point of the right-to-left scripts (Hebrew)."""
_PART_GAP: Final = 2.0
"""Gap that separates columns or cells of a line, in font sizes."""
_WORD_GAP: Final = 0.2
"""Gap that separates words although the text layer has no space there, in font sizes."""
_MAX_COVERED: Final = 0.6
"""Share of a character's width that the character before it may cover."""
_MAX_LAYERS: Final = 8
"""Maximum number of layers of text that are searched for the place of a character."""
_LINE_STEP: Final = 0.6
"""Vertical distance of the centres from which two characters are on separate lines, in heights of the lower one."""
_CLEAR_RATIO: Final = 2
"""Ratio of the words in each direction from which the line's own words show the direction of its paragraph."""
_END_MARKS: Final = frozenset(".,:;!?")
SPACE: Final = " "


@dataclass(frozen=True, slots=True)
class Glyph:
    """A character of the text layer; `mark` is its combining marks."""

    index: int
    character: str
    style: TextStyle
    box: Box
    marks: str = ""


def is_right_to_left(code: int) -> bool:
    """Return whether the code point is a letter of a right-to-left script."""
    return code >= _FIRST_RIGHT_TO_LEFT and _direction(chr(min(code, sys.maxunicode))) == "R"


def lines_of_glyphs(glyphs: Sequence[Glyph]) -> Iterator[list[Glyph]]:
    """Yield the runs of characters on one line, in the order of the text layer."""
    line: list[Glyph] = []
    for glyph in glyphs:
        if line and not _is_on_line(line[-1], glyph):
            yield line
            line = []
        line.append(glyph)
    if line:
        yield line


def logical_parts(line: Sequence[Glyph], *, is_page_right_to_left: bool) -> list[list[Glyph | None]]:
    """Return the characters of each part of a line in logical order, with None between words.

    Args:
        line: the characters of one line, spaces included.
        is_page_right_to_left: the direction of a part whose words do not show it.
    """
    parts: list[list[list[Glyph]]] = []
    for layer in _layers(_clusters(_with_drawn_brackets(line))):
        right = float("-inf")
        for cluster in layer:
            # A wide gap may be filled with spaces.
            if cluster[0].character == SPACE:
                continue
            if cluster[0].box[0] - right > _PART_GAP * cluster[0].style.size:
                parts.append([])
            parts[-1].append(cluster)
            right = cluster[0].box[2]
    # People read the columns of such a page from the right.
    ordered = [_ordered(part, is_page_right_to_left=is_page_right_to_left) for part in parts]
    return ordered[::-1] if is_page_right_to_left else ordered


def most_are_right_to_left(text: str) -> bool:
    """Return whether most letters of the text are of right-to-left scripts."""
    directions = [_direction(character) for character in text]
    return directions.count("R") > directions.count("L")


def _is_on_line(last: Glyph, glyph: Glyph) -> bool:
    if last.style.angle != glyph.style.angle:
        return False
    (_, top, _, bottom), (_, other_top, _, other_bottom) = last.box, glyph.box
    distance = abs(top + bottom - other_top - other_bottom) / 2
    return distance <= _LINE_STEP * max(bottom - top, other_bottom - other_top, 1.0)


def _with_drawn_brackets(line: Sequence[Glyph]) -> list[Glyph]:
    """Return the characters with brackets as drawn: PDFium mirrors those after a right-to-left letter.

    So it does at the start of a line that has at least as many right-to-left words.
    """
    words = [direction for direction, _ in groupby(_direction(glyph.character[0]) for glyph in line)]
    last = "R" if words.count("R") >= words.count("L") else "L"
    drawn: list[Glyph] = []
    for glyph in line:
        last = _direction(glyph.character[0]) or last
        is_mirrored = last == "R" and glyph.character in MIRRORED
        drawn.append(replace(glyph, character=MIRRORED[glyph.character]) if is_mirrored else glyph)
    return drawn


def _clusters(line: Sequence[Glyph]) -> list[list[Glyph]]:
    """Return the characters from left to right, those of one ligature together and in logical order."""
    bases = [glyph for glyph in line if not unicodedata.combining(glyph.character)]
    clusters = [_ligature(list(same)) for _, same in groupby(bases, key=lambda glyph: glyph.box)]
    # Centres, since the boxes of slanted letters overlap.
    clusters.sort(key=lambda cluster: cluster[0].box[0] + cluster[0].box[2])
    centres = [cluster[0].box[0] + cluster[0].box[2] for cluster in clusters]
    for glyph in line:
        if unicodedata.combining(glyph.character) and clusters:
            place = bisect_left(centres, glyph.box[0] + glyph.box[2])
            nearby = range(max(place - 1, 0), min(place + 1, len(clusters)))
            nearest = min(nearby, key=lambda index: abs(centres[index] - glyph.box[0] - glyph.box[2]))
            base = clusters[nearest][-1]
            clusters[nearest][-1] = replace(base, marks=base.marks + glyph.character)
    return clusters


def _layers(clusters: Sequence[list[Glyph]]) -> list[list[list[Glyph]]]:
    """Return the characters that are beside each other: hidden or bold text is drawn over other text."""
    layers: list[list[list[Glyph]]] = []
    for cluster in clusters:
        left, _, right, _ = cluster[0].box
        covered = left + _MAX_COVERED * (right - left)
        layer = next((layer for layer in layers[:_MAX_LAYERS] if layer[-1][0].box[2] <= covered), None)
        if layer is None:
            layers.append([cluster])
        else:
            layer.append(cluster)
    return layers


def _ligature(glyphs: list[Glyph]) -> list[Glyph]:
    """Return the letters of one glyph in logical order: PDFium reverses those of fonts, not those of Unicode."""
    text = "".join(glyph.character for glyph in glyphs)
    if len(glyphs) == 1 or text in _unicode_ligatures() or _direction(text[0]) != "R":
        return glyphs
    return glyphs[::-1]


@cache
def _unicode_ligatures() -> frozenset[str]:
    """Return the letters of each ligature among the presentation forms of Unicode."""
    codes = (*range(0xFB1D, 0xFE00), *range(0xFE70, 0xFEFD))
    return frozenset(letters for code in codes if len(letters := character_of(code)) > 1)


def _ordered(part: Sequence[list[Glyph]], *, is_page_right_to_left: bool) -> list[Glyph | None]:
    spaced: list[list[Glyph] | None] = []
    right = part[0][0].box[0]
    for cluster in part:
        left, size = cluster[0].box[0], max(cluster[0].style.size, 1.0)
        if left - right > _WORD_GAP * size:
            spaced.append(None)
        spaced.append(cluster)
        right = max(right, cluster[0].box[2])
    text = "".join(SPACE if cluster is None else cluster[0].character[0] for cluster in spaced)
    is_reversed = _is_paragraph_right_to_left(text, is_page_right_to_left=is_page_right_to_left)
    ordered: list[Glyph | None] = []
    for place, character in logical_order(text, is_right_to_left=is_reversed):
        cluster = spaced[place]
        if cluster is None:
            ordered.append(None)
            continue
        # A presentation form stands for several letters, which no bracket does.
        shown = character if len(cluster[0].character) == 1 else cluster[0].character
        ordered += (replace(cluster[0], character=shown), *cluster[1:])
    return ordered


def changes_direction(last: str, character: str) -> bool:
    """Return whether a letter follows one of the other direction, as a word follows a word of another script."""
    return {_direction(last), _direction(character)} == {"L", "R"}


def _is_paragraph_right_to_left(text: str, *, is_page_right_to_left: bool) -> bool:
    words = [directions for word in text.split() if (directions := set(map(_direction, word)) - {""})]
    count = sum("R" in directions for directions in words)
    others = len(words) - count
    # The end of a right-to-left sentence is at the left.
    is_quoting = others >= _CLEAR_RATIO * count and text.lstrip()[:1] not in _END_MARKS
    if not count or (is_quoting and "R" not in words[0] | words[-1]):
        return False
    return is_page_right_to_left or count >= _CLEAR_RATIO * others


def _direction(character: str) -> str:
    """Return "R" or "L" for a letter; empty for other characters."""
    name = unicodedata.bidirectional(character)
    return "R" if name in ("R", "AL") else "L" if name == "L" else ""
