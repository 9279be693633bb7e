"""Detection of headings among a document's lines, by outline, font size, weight and section number."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from groundwire_readers.contents.heading_levels import MAX_LEVEL
from groundwire_readers.readers.pdf.blocks.heading_candidates import (
    HeadingCandidate,
    level_of_each,
    without_bylines,
    without_lists,
    without_statements,
)
from groundwire_readers.readers.pdf.blocks.line_breaks import join_lines
from groundwire_readers.readers.pdf.blocks.paragraphs import is_next_in_column
from groundwire_readers.readers.pdf.layout.document_style import DocumentStyle
from groundwire_readers.readers.pdf.layout.lines import Line
from groundwire_readers.readers.pdf.pages.pdf_file import OutlineEntry

_MAX_CHARACTERS: Final = 200
"""Maximum length of a heading."""
_MAX_LINES: Final = 4
"""Maximum number of lines of a heading."""
_MAX_BOLD_LINES: Final = 3
"""Maximum number of lines of a heading that differs from the body by its weight alone."""
_LARGER_RATIO: Final = 1.12
"""Minimum ratio of a heading's font size to the body's, for a heading that is detected by size."""
_LARGER_POINTS: Final = 0.9
"""Minimum difference of the two sizes, in points."""
_SAME_SIZE: Final = 0.5
"""Maximum difference of the font sizes of one heading's lines, in points."""
_LETTER_SHARE: Final = 0.5
"""Minimum share of letters in a heading; formulas and rows of numbers have fewer."""
_MIN_LETTERS: Final = 2
_MAX_WORDS: Final = 12
"""Maximum number of words of a heading that ends like a sentence."""
_BARE_NUMBER_CHARACTERS: Final = 8
"""Length below which a section number is not a whole heading: its title is on the next line."""
_MAX_DISTANCE: Final = 1.9
"""Maximum baseline distance of one heading's lines, in font sizes."""
_SECTION: Final = re.compile(
    r"(?:(?:chapter|section|part|article|appendix|annex|item|kapitel|teil|abschnitt|anhang)\s+)?"
    r"(?:\d{1,3}(?:\.\d{1,3}){0,5}\.?|[A-Z](?:\.\d{1,3}){1,5}\.?|[IVX]{1,6}\.|[A-Z]\.)(?=\s)",
    re.IGNORECASE,
)
_DEEP_SECTION: Final = re.compile(r"(?:\d{1,3}|[A-Z])(?:\.\d{1,3}){1,5}\.?\s+[^\W\d_]")
_NO_HEADING: Final = re.compile(
    r"^[,;.:)\]\u00bb\u201d]|[\w.-]@[\w-]{1,60}\.\w"
    r"|^(?:key ?words|index terms|schlüsselwörter|mots[- ]clés|palabras clave)\b\W*\w",
    re.IGNORECASE,
)
"""Texts that are no heading: the rest of a sentence, a mail address, and a labelled list of keywords."""
_ITEM: Final = re.compile(r"\d{1,2}[.)]\s+\d")
_LEADER: Final = re.compile(r"(?:\.\s?){4,}|…|\s\d{1,4}$")
_BULLET: Final = re.compile(r"[•◦▪▫‣●○■□☐☒☑➢✓✔\u2013—*-]\s")
_CONTINUATION_MARKS: Final = (",", "-", "\u00ad", "\u2013", "—", "&", "/", "(")
_OPEN_WORDS: Final = (
    "a",
    "an",
    "and",
    "at",
    "by",
    "for",
    "from",
    "in",
    "of",
    "on",
    "or",
    "the",
    "to",
    "und",
    "with",
)
_COVER_HEADINGS: Final = 2
"""Minimum number of cover headings; a single one may be the title, above all sections."""
_FOUND_SHARE: Final = 0.7
"""Share of the outline's entries found as headings from which the outline is taken as complete."""
_MIN_OUTLINE_ENTRIES: Final = 8
"""Number of entries that a shorter outline is counted as, so that few matches do not make it complete."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading on the lines `start` to `end` (exclusive)."""

    start: int
    end: int
    text: str
    level: int


def find_headings(
    lines: Sequence[Line], rights: Sequence[float], style: DocumentStyle, outline: Sequence[OutlineEntry]
) -> list[Heading]:
    """Return the headings in reading order."""
    finder = _Finder(lines, rights, style, outline)
    candidates = without_bylines(without_lists(finder.candidates()))
    candidates = without_statements(candidates, [lines[each.start].page for each in candidates])
    if sum(each.outline_level > 0 for each in candidates) >= _FOUND_SHARE * max(len(outline), _MIN_OUTLINE_ENTRIES):
        candidates = [each for each in candidates if each.outline_level or not _is_numbered_body(each, style)]
    levels = _below_cover(candidates, level_of_each(candidates), lines)
    return [Heading(each.start, each.end, each.text, level) for each, level in zip(candidates, levels, strict=True)]


def _below_cover(candidates: Sequence[HeadingCandidate], levels: Sequence[int], lines: Sequence[Line]) -> list[int]:
    """Return the levels, with several large headings of a cover lowered to the level of the first sections."""
    pages = [lines[candidate.start].page for candidate in candidates]
    later_levels = [level for level, page in zip(levels, pages, strict=True) if page != pages[0]]
    highest = min(later_levels, default=0)
    above = [level < highest and page == pages[0] for level, page in zip(levels, pages, strict=True)]
    if sum(above) < _COVER_HEADINGS:
        return list(levels)
    return [highest if is_above else level for level, is_above in zip(levels, above, strict=True)]


class _Finder:
    def __init__(
        self, lines: Sequence[Line], rights: Sequence[float], style: DocumentStyle, outline: Sequence[OutlineEntry]
    ) -> None:
        self._lines = lines
        self._right_edges = rights
        self._style = style
        self._outline: defaultdict[str, list[OutlineEntry]] = defaultdict(list)
        for entry in outline:
            if letters_of(entry.title):
                self._outline[letters_of(entry.title)].append(entry)
        self._letters = [letters_of(line.text) for line in lines] if self._outline else []

    def candidates(self) -> list[HeadingCandidate]:
        candidates: list[HeadingCandidate] = []
        index = 0
        while index < len(self._lines):
            candidate, index = self._candidate(index)
            if candidate is not None:
                candidates.append(candidate)
        return candidates

    def _candidate(self, index: int) -> tuple[HeadingCandidate | None, int]:
        """Return the candidate that starts at the line, if any, and the index of the next line to examine."""
        line = self._lines[index]
        if line.table >= 0 or not line.is_upright or not line.text or len(line.text) > _MAX_CHARACTERS:
            return None, index + 1
        key = (round(line.size), line.is_bold, line.text.isupper())
        listed = self._listed_in_outline(index)
        if listed is not None:
            text = self._text(index, listed[0])
            return HeadingCandidate(index, listed[0], text, key, min(listed[1], MAX_LEVEL)), listed[0]
        if not self._is_distinct(index):
            return None, index + 1
        end = self._end_of_heading(index)
        is_long = end - index > (_MAX_LINES if line.size > self._style.size * _LARGER_RATIO else _MAX_BOLD_LINES)
        text = "" if is_long or self._sentence_continues(end) else self._text(index, end)
        return (HeadingCandidate(index, end, text, key, 0) if _reads_as_heading(text) else None), end

    def _text(self, start: int, end: int) -> str:
        return joined_heading([line.text for line in self._lines[start:end]], self._style)

    def _listed_in_outline(self, index: int) -> tuple[int, int] | None:
        """Return end and level of the outlined heading at the line; None if the outline lists none here."""
        if not self._outline:
            return None
        text = ""
        for end in range(index + 1, min(index + 1 + _MAX_LINES, len(self._lines) + 1)):
            line = self._lines[end - 1]
            if line.page != self._lines[index].page or line.table >= 0:
                return None
            text += self._letters[end - 1]
            # Many outlines leave out the numbers of the sections.
            for key in (text, text.lstrip("0123456789")):
                for entry in self._outline.get(key, ()) if key else ():
                    if entry.page in (0, line.page) and self._is_separated(index, end):
                        return end, entry.level
        return None

    def _is_separated(self, start: int, end: int) -> bool:
        """Return whether style, or space above and below, separates the lines from the body."""
        line = self._lines[start]
        return line.is_bold != self._style.is_bold or line.size > self._style.size or self._has_space_around(start, end)

    def _has_space_around(self, start: int, end: int) -> bool:
        line = self._lines[start]
        leading = self._style.leading_of(line.size) * 1.25
        before = self._lines[start - 1] if start else None
        after = self._lines[end] if end < len(self._lines) else None
        has_space_above = before is None or before.page != line.page or line.box.bottom - before.box.bottom > leading
        last = self._lines[end - 1]
        has_space_below = after is None or after.page != last.page or after.box.bottom - last.box.bottom > leading
        return has_space_above and has_space_below

    def _is_distinct(self, index: int) -> bool:
        """Return whether the line differs from body text as the first line of a heading does."""
        line = self._lines[index]
        is_larger = line.size >= self._style.size * _LARGER_RATIO and line.size - self._style.size >= _LARGER_POINTS
        if _BULLET.match(line.text) or (_LEADER.search(line.text) and not (line.is_bold or is_larger)):
            return False
        if line.is_monospaced and not self._style.is_monospaced:
            return False
        if is_larger:
            return True
        # Bold text that is smaller than the body labels a figure, a cell or a note.
        if line.size < self._style.size * 0.85:
            return False
        if line.is_bold and not self._style.is_bold:
            return not self._continues_bold(index)
        return (
            _DEEP_SECTION.match(line.text) is not None
            and self._has_space_around(index, index + 1)
            and not line.text.endswith(".")
        )

    def _continues_bold(self, index: int) -> bool:
        """Return whether a bold line continues the paragraph of the line above."""
        if not index:
            return False
        line, before = self._lines[index], self._lines[index - 1]
        if not is_next_in_column(before, line) or before.size != line.size or before.table >= 0:
            return False
        is_near = line.box.bottom - before.box.bottom <= self._style.leading_of(line.size) * 1.15
        return (
            is_near
            and not before.is_bold
            and not before.text.endswith((".", ":", "!", "?", ";", "”"))
            and not _SECTION.match(line.text)
        )

    def _sentence_continues(self, end: int) -> bool:
        """Return whether the sentence of the bold lines before `end` continues below: it is no heading then."""
        if end >= len(self._lines) or not is_next_in_column(self._lines[end - 1], self._lines[end]):
            return False
        line = self._lines[end]
        return line.bold_start > 0 and not line.is_bold and line.text[:1].islower()

    def _end_of_heading(self, index: int) -> int:
        """Return the end of the heading that starts at the line."""
        end = index + 1
        while end < len(self._lines) and self._continues_heading(end):
            end += 1
        return end

    def _continues_heading(self, index: int) -> bool:
        """Return whether the line continues the heading of the line above."""
        last, line = self._lines[index - 1], self._lines[index]
        if line.table >= 0 or not line.is_upright or not is_next_in_column(last, line) or line.is_bold != last.is_bold:
            return False
        if abs(line.size - last.size) > _SAME_SIZE or line.box.bottom - last.box.bottom > _MAX_DISTANCE * line.size:
            return False
        if _SECTION.match(line.text) or _BULLET.match(line.text):
            return False
        if _is_open(last.text) or line.text[:1].islower() or line.text.startswith("("):
            return True
        next_word_fits = self._right_edges[index - 1] - last.box.right > line.first_width + line.size / 2
        return not next_word_fits or (line.size >= 1.3 * self._style.size and self._is_centred_with(last, line))

    def _is_centred_with(self, last: Line, line: Line) -> bool:
        centre_offset = (last.box.left + last.box.right - line.box.left - line.box.right) / 2
        return abs(centre_offset) <= line.size or abs(last.box.left - line.box.left) <= line.size / 2


def joined_heading(texts: Sequence[str], style: DocumentStyle) -> str:
    """Return the text of a heading from the texts of its lines."""
    text = texts[0]
    for rest in texts[1:]:
        text = join_lines(text, rest, style, is_full=False, ends_word=True)
    return text


def letters_of(text: str) -> str:
    """Return the letters and digits of the text, case folded: a key that ignores spacing and punctuation."""
    return "".join(character for character in text.casefold() if character.isalnum())


def _is_open(text: str) -> bool:
    """Return whether a heading must continue after the text: at a comma, an open bracket, "and", or a bare number."""
    return (
        text.endswith(_CONTINUATION_MARKS)
        or text.count("(") > text.count(")")
        or text.rpartition(" ")[2].casefold() in _OPEN_WORDS
        or (_SECTION.match(text + " ") is not None and len(text) < _BARE_NUMBER_CHARACTERS)
    )


def _reads_as_heading(text: str) -> bool:
    """Return whether the wording may be a heading: mostly letters, and no sentence, list item or address."""
    title = _SECTION.sub("", text)
    letters = sum(map(str.isalpha, title))
    if letters < _MIN_LETTERS or letters < _LETTER_SHARE * len(title.replace(" ", "")):
        return False
    if len(text) > _MAX_CHARACTERS or text.endswith((";", ",")) or _ITEM.match(text) or _NO_HEADING.search(text):
        return False
    is_sentence = text.endswith((".", ":")) and len(text.split()) > _MAX_WORDS
    return not is_sentence or _DEEP_SECTION.match(text) is not None


def _is_numbered_body(candidate: HeadingCandidate, style: DocumentStyle) -> bool:
    """Return whether the candidate is numbered text in body size; with a complete outline, that is a list item."""
    return candidate.style[0] <= round(style.size) and _SECTION.match(candidate.text) is not None
