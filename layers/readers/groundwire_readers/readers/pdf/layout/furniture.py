"""Removal of page furniture: running headers, running footers, page numbers and typed rules."""

import re
from bisect import bisect_left, bisect_right, insort
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Final

from groundwire_readers.readers.pdf.layout.lines import Line
from groundwire_readers.readers.pdf.layout.page_layout import PageLayout
from groundwire_readers.readers.pdf.layout.page_numbers import (
    BARE_NUMBER,
    OUTER_NUMBER,
    PAGE_LABEL_WITHIN,
    WHOLE_PAGE_LABEL,
    numberless,
    outer_numbers,
)

_EDGE_ROWS: Final = 4
"""Number of rows at the top and at the bottom of a page that may be furniture."""
_EDGE_SHARE: Final = 0.2
"""Share of the page's height, at the top and at the bottom, in which furniture is searched."""
_MIN_OCCURRENCES: Final = 3
"""Number of pages on which a line recurs from which it is furniture."""
_FEW_PAGES: Final = 8
"""Number of pages up to which a document is short: there, two occurrences may be enough."""
_MIN_TEXT_LINES: Final = 3
"""Minimum number of lines of a page of a short document whose header counts with two occurrences."""
_MAX_CHARACTERS: Final = 200
"""Maximum length of a line of furniture."""
_LARGE_RATIO: Final = 1.2
"""Ratio of font size to the body's above which a line may be a title."""
_MAX_FIELD_LABEL: Final = 40
"""Maximum length of the label of a form field."""
_MIN_GAP: Final = 1.25
"""Minimum gap between furniture and the text of a page, in font sizes; that between two paragraphs is about one."""
_MIN_SENTENCE_GAP: Final = 2.5
"""The same for a sentence in the size of the text."""
_SENTENCE: Final = re.compile(r"\W{0,3}[^\W\d_a-z](?:\S*\s+){5,}\S*[.!?:;]")
_POSITION_CLASS_HEIGHT: Final = 6.0
"""Height of the classes into which vertical positions are rounded, in points."""
_TYPED_RULE: Final = re.compile(r"[_=\u2013\u2014\s-]{8,}")
"""A rule, or a blank to fill in, that is typed as characters instead of drawn."""
_DIGIT: Final = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class _EdgeLine:
    """A line near the top or bottom edge of a page.

    Attributes:
        page: position of the page, from 0.
        index: position of the line on the page.
        row: number of rows between it and the edge.
        position: vertical position in classes of `_POSITION_CLASS_HEIGHT`; negative when counted from the bottom.
        has_body_text: whether the page has enough other lines.
    """

    page: int
    index: int
    line: Line
    row: int
    position: int
    has_body_text: bool


def without_furniture(pages: Sequence[PageLayout], body_size: float) -> list[PageLayout]:
    """Return the pages without running headers, footers, page numbers and typed rules.

    Args:
        pages: the pages of the document, in order.
        body_size: font size of most of its text, in points.
    """
    pages = [_without_typed_rules(page) for page in pages]
    edges = [edge for number, page in enumerate(pages) for edge in _edge_lines(number, page)]
    recurring = [*_recurring_lines(edges, len(pages), body_size), *_numbered_lines(edges, body_size)]
    dropped = {*_is_separated(recurring, pages, body_size), *_unaligned_footers(pages)}
    return [
        replace(page, lines=tuple(line for index, line in enumerate(page.lines) if (number, index) not in dropped))
        for number, page in enumerate(pages)
    ]


def furniture_lines(pages: Sequence[PageLayout], kept: Sequence[PageLayout]) -> Iterator[str]:
    """Yield the texts of the lines of furniture that recur, without outer numbers that change from page to page.

    Args:
        pages: the pages of the document, in order.
        kept: the same pages without furniture.
    """
    lines: defaultdict[str, list[str]] = defaultdict(list)
    for page, without in zip(pages, kept, strict=True):
        remaining = {id(line) for line in without.lines}
        for line in page.lines:
            if id(line) not in remaining and line.table < 0:
                text = PAGE_LABEL_WITHIN.sub("", line.text)
                lines[OUTER_NUMBER.sub("", text)].append(text)
    for text, written in lines.items():
        # A line of one page is furniture by its number alone.
        if len(written) > 1:
            yield written[0] if len(set(written)) == 1 else text


def _without_typed_rules(page: PageLayout) -> PageLayout:
    kept = (line for line in page.lines if line.table >= 0 or not _TYPED_RULE.fullmatch(line.text))
    return replace(page, lines=tuple(kept))


def _edge_lines(number: int, page: PageLayout) -> Iterator[_EdgeLine]:
    """Yield the short lines near the page's top and bottom."""
    numbered = [(index, line) for index, line in enumerate(page.lines)]
    for is_top in (True, False):
        by_distance = sorted(numbered, key=lambda item: item[1].box.top if is_top else -item[1].box.bottom)
        row, last = -1, None
        for index, line in by_distance:
            distance = line.box.top if is_top else page.height - line.box.bottom
            if last is None or abs(distance - last) > line.size / 2:
                row += 1
                last = distance
            if row >= _EDGE_ROWS or distance > _EDGE_SHARE * page.height or line.table >= 0:
                break
            if len(line.text) <= _MAX_CHARACTERS:
                position = round(distance / _POSITION_CLASS_HEIGHT)
                yield _EdgeLine(
                    number, index, line, row, position if is_top else -1 - position, len(numbered) >= _MIN_TEXT_LINES
                )


def _recurring_lines(edges: Sequence[_EdgeLine], pages: int, body_size: float) -> Iterator[_EdgeLine]:
    """Yield the lines that recur at the same position of several pages, page numbers ignored."""
    pages_by_pattern: defaultdict[str, defaultdict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
    forms = _form_pages(edges)
    for edge in edges:
        pages_by_pattern[_pattern_of_line(edge, body_size)][edge.position].add(edge.page)
    for edge in edges:
        pattern = _pattern_of_line(edge, body_size)
        pages_by_position = pages_by_pattern[pattern]
        # Rounding can put the same position into a neighbouring class on another page.
        occurrences = len(
            pages_by_position[edge.position]
            | pages_by_position.get(edge.position - 1, set())
            | pages_by_position.get(edge.position + 1, set())
        )
        is_label = edge.row == 0 and WHOLE_PAGE_LABEL.fullmatch(edge.line.text.strip()) is not None
        is_in_form = edge.page in forms
        if is_label or (
            any(map(str.isalpha, pattern))
            and occurrences >= _min_occurrences(edge, pages, body_size)
            and not is_in_form
        ):
            # The first large occurrence is the title that running headers repeat: it stays.
            is_first = _is_large(edge, body_size) and edge.page == min(map(min, pages_by_position.values()))
            if not is_first:
                yield edge


def _is_separated(
    edges: Sequence[_EdgeLine], pages: Sequence[PageLayout], body_size: float
) -> Iterator[tuple[int, int]]:
    """Yield page and line index of lines that a gap separates from the text, and of those with the page number."""
    by_page: defaultdict[int, dict[int, _EdgeLine]] = defaultdict(dict)
    for edge in edges:
        by_page[edge.page][edge.index] = edge
    for page, candidates in by_page.items():
        boxes = [line.box for index, line in enumerate(pages[page].lines) if index not in candidates]
        tops, bottoms = sorted(box.top for box in boxes), sorted(box.bottom for box in boxes)
        # From the text outwards: a line close to one that stays is text as well.
        for edge in sorted(candidates.values(), key=lambda edge: -edge.row):
            box, text = edge.line.box, edge.line.text.strip()
            first, last = bisect_left(tops, box.top), bisect_right(bottoms, box.bottom)
            below, above = tops[first : first + 1], bottoms[last - 1 : last] if last else ()
            gap = min([*(top - box.bottom for top in below), *(box.top - bottom for bottom in above)], default=inf)
            is_sentence = _SENTENCE.fullmatch(text) is not None and edge.line.size >= body_size
            least = (_MIN_SENTENCE_GAP if is_sentence else _MIN_GAP) * body_size
            # A text that counts with the pages, such as the number of a step, has the size of the others.
            is_numbered = edge.line.size < body_size and _has_page_number(edge)
            is_number = any(form.fullmatch(text) for form in (BARE_NUMBER, WHOLE_PAGE_LABEL))
            if gap >= least or is_number or is_numbered:
                yield page, edge.index
            else:
                insort(tops, box.top)
                insort(bottoms, box.bottom)


def _form_pages(edges: Sequence[_EdgeLine]) -> set[int]:
    """Return the pages of a form that is filled in repeatedly: one label at one position, with different values.

    Lines that such pages share, such as "Department: Sales", are content.
    """
    entries: defaultdict[tuple[str, int], list[tuple[int, str]]] = defaultdict(list)
    for edge in edges:
        label, colon, value = _DIGIT.sub("", numberless(edge.line.text)).partition(":")
        if colon and value.strip() and len(label) <= _MAX_FIELD_LABEL and any(map(str.isalpha, label)):
            entries[label.strip(), edge.position].append((edge.page, value.strip()))
    form_pages: set[int] = set()
    for fillings in entries.values():
        if len({value for _, value in fillings}) >= _MIN_OCCURRENCES:
            form_pages.update(page for page, _ in fillings)
    return form_pages


def _min_occurrences(edge: _EdgeLine, pages: int, body_size: float) -> int:
    """Return the number of occurrences from which the line is furniture.

    Two are enough in a short document, where left and right pages may have different headers. A row with parts may be
    one of a form, unless it has the number of its page.
    """
    is_line = not edge.line.is_row or _has_page_number(edge)
    is_alone = edge.row == 0 and edge.has_body_text and is_line and not _is_large(edge, body_size)
    return 2 if pages <= _FEW_PAGES and is_alone else _MIN_OCCURRENCES


def _has_page_number(edge: _EdgeLine) -> bool:
    label = PAGE_LABEL_WITHIN.search(edge.line.text)
    return label is not None or edge.page + 1 in outer_numbers(edge.line.text)


def _is_large(edge: _EdgeLine, body_size: float) -> bool:
    """Return whether the line may be a title: its font is larger than those of running headers."""
    return edge.line.size > _LARGE_RATIO * body_size and PAGE_LABEL_WITHIN.search(edge.line.text) is None


def _pattern_of_line(edge: _EdgeLine, body_size: float) -> str:
    return edge.line.text if _is_large(edge, body_size) else numberless(edge.line.text)


def _numbered_lines(edges: Sequence[_EdgeLine], body_size: float) -> Iterator[_EdgeLine]:
    """Yield the outermost lines that are, start with or end with a number that advances with the page."""
    offsets = Counter[tuple[int, bool]]()
    numbers_at_position = Counter[int]()
    candidates: list[tuple[_EdgeLine, set[int]]] = []
    for edge in edges:
        if edge.row <= 1:
            page_offsets = {number - edge.page for number in outer_numbers(edge.line.text)}
            candidates.append((edge, page_offsets))
            offsets.update((offset, edge.position >= 0) for offset in page_offsets)
            numbers_at_position[edge.position] += bool(page_offsets) and edge.row == 0 and edge.line.size < body_size
    for edge, page_offsets in candidates:
        advances_with_page = any(offsets[offset, edge.position >= 0] >= _MIN_OCCURRENCES for offset in page_offsets)
        is_bare = BARE_NUMBER.fullmatch(edge.line.text.strip()) is not None
        recurs_at_position = (
            bool(page_offsets)
            and edge.row == 0
            and edge.line.size < body_size
            and numbers_at_position[edge.position] >= _MIN_OCCURRENCES
        )
        is_large = _is_large(edge, body_size)
        if (advances_with_page and (is_bare or (edge.row == 0 and not is_large))) or recurs_at_position:
            yield edge


def _unaligned_footers(pages: Sequence[PageLayout]) -> Iterator[tuple[int, int]]:
    """Yield page and line index of footers that follow the text at any height, if most pages have one.

    Such a footer is the last line of its page: the page number, alone or beside the same words.
    """
    by_pattern: defaultdict[tuple[str, int], list[tuple[int, int]]] = defaultdict(list)
    for number, page in enumerate(pages):
        index = max(range(len(page.lines)), key=lambda position: page.lines[position].box.bottom, default=None)
        if index is None or page.lines[index].table >= 0 or len(page.lines[index].text) > _MAX_CHARACTERS:
            continue
        text = page.lines[index].text
        for outer in outer_numbers(text):
            by_pattern[numberless(text), outer - number].append((number, index))
    for footers in by_pattern.values():
        if len(footers) >= max(_MIN_OCCURRENCES, len(pages) / 2):
            yield from footers
