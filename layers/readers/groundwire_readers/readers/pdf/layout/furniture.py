"""Running headers, footers, page numbers and drawn rules: lines without content of a document's pages."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from groundwire_readers.readers.pdf.layout.lines import Line
from groundwire_readers.readers.pdf.layout.page_layout import PageLayout

_EDGE_ROWS: Final = 4
"""Number of rows at the top, and at the bottom, of a page that may be furniture."""
_EDGE_SHARE: Final = 0.2
"""Share of the page's height, at the top and at the bottom, in which furniture is."""
_MIN_PAGES: Final = 3
_FEW_PAGES: Final = 8
_TEXT_LINES: Final = 3
"""Minimum number of lines of a page whose header two pages of a few may show."""
_CHARACTERS: Final = 200
_LARGE: Final = 1.2
"""Minimum size of a line that may be a title, as a share of the body's."""
_DIGITS: Final = 6
_ROMAN_LETTERS: Final = 7
_LABEL_WORDS: Final = 3
"""Number of words of "3 of 5"."""
_LABEL_CHARACTERS: Final = 40
"""Maximum length of the label of a form's entry."""
_SAME_PLACE: Final = 6.0
"""Size of the steps, in points, by which places on pages are compared."""
_ROMAN: Final = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_MARKS: Final = "-\u2013—|.:[]()· "
_OF: Final = ("of", "/", "von", "de", "sur", "di", "из")
_PAGE_LABEL: Final = re.compile(
    r"\W{0,3}(?:page|seite|página|pagina|стр\.?|p\.)\s{0,3}\d{1,6}(?:\s{0,3}(?:of|/|von|de|sur|di|из)\s{0,3}\d{1,6})?\W{0,3}"
    r"|\W{0,3}\d{1,6}\s{0,2}(?:of|/)\s{0,2}\d{1,6}\W{0,3}",
    re.IGNORECASE,
)
_LABEL: Final = re.compile(
    r"\b(?:page|seite|página|pagina|стр)\.?\s{0,3}\d{1,6}(?:\s{0,3}(?:of|/|von|de|sur|di|из)\s{0,3}\d{1,6})?",
    re.IGNORECASE,
)
_TYPED_RULE: Final = re.compile(r"[_=\u2013\u2014\s-]{8,}")
"""A rule, or a line to write on, that is typed instead of drawn."""
_DIGIT: Final = re.compile(r"\d")
_BARE_NUMBER: Final = re.compile(r"[\W_]{0,3}(?:\d{1,6}|[ivxlc]{1,7})[\W_]{0,3}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _EdgeLine:
    """A line at a page's edge: its row from the edge, from 0, and its place in steps, negative from the bottom.

    Attributes:
        is_with_text: the page has other lines besides.
    """

    page: int
    index: int
    line: Line
    row: int
    place: int
    is_with_text: bool


def without_furniture(pages: Sequence[PageLayout], body_size: float) -> list[PageLayout]:
    """Return the pages without running headers, footers, page numbers and typed rules.

    Args:
        pages: pages of the document, in order.
        body_size: size of most of its text, in points.
    """
    pages = [_without_typed_rules(page) for page in pages]
    edges = [edge for number, page in enumerate(pages) for edge in _edge_lines(number, page)]
    dropped = {(edge.page, edge.index) for edge in _recurring(edges, len(pages), body_size)}
    dropped |= {(edge.page, edge.index) for edge in _numbered(edges, body_size)}
    dropped |= set(_last_lines(pages))
    return [
        replace(page, lines=tuple(line for index, line in enumerate(page.lines) if (number, index) not in dropped))
        for number, page in enumerate(pages)
    ]


def _without_typed_rules(page: PageLayout) -> PageLayout:
    kept = (line for line in page.lines if line.table >= 0 or not _TYPED_RULE.fullmatch(line.text))
    return replace(page, lines=tuple(kept))


def _edge_lines(number: int, page: PageLayout) -> Iterator[_EdgeLine]:
    """Yield the short lines near the page's top and bottom."""
    text = [(index, line) for index, line in enumerate(page.lines)]
    for is_top in (True, False):
        by_place = sorted(text, key=lambda item: item[1].box.top if is_top else -item[1].box.bottom)
        row, last = -1, None
        for index, line in by_place:
            distance = line.box.top if is_top else page.height - line.box.bottom
            if last is None or abs(distance - last) > line.size / 2:
                row += 1
                last = distance
            if row >= _EDGE_ROWS or distance > _EDGE_SHARE * page.height or line.table >= 0:
                break
            if len(line.text) <= _CHARACTERS:
                place = round(distance / _SAME_PLACE)
                yield _EdgeLine(number, index, line, row, place if is_top else -1 - place, len(text) >= _TEXT_LINES)


def _recurring(edges: Sequence[_EdgeLine], pages: int, body_size: float) -> Iterator[_EdgeLine]:
    """Yield the lines that recur at one place, numbers aside."""
    seen: defaultdict[str, defaultdict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
    forms = _form_pages(edges)
    for edge in edges:
        seen[_pattern_of(edge, body_size)][edge.place].add(edge.page)
    for edge in edges:
        pattern = _pattern_of(edge, body_size)
        places = seen[pattern]
        # A place near the edge of a step can fall into the next step on another page.
        count = len(places[edge.place] | places.get(edge.place - 1, set()) | places.get(edge.place + 1, set()))
        is_label = edge.row == 0 and _PAGE_LABEL.fullmatch(edge.line.text.strip()) is not None
        is_in_form = edge.page in forms
        if is_label or (any(map(str.isalpha, pattern)) and count >= _least(edge, pages, body_size) and not is_in_form):
            # The first of such lines is the title that the others repeat.
            is_first = _is_large(edge, body_size) and edge.page == min(map(min, places.values()))
            if not is_first:
                yield edge


def _form_pages(edges: Sequence[_EdgeLine]) -> set[int]:
    """Return the pages of a form that was filled in several times: a label at one place with different values.

    What such pages have in common, such as "Department: Sales", is content.
    """
    entries: defaultdict[tuple[str, int], list[tuple[int, str]]] = defaultdict(list)
    for edge in edges:
        label, colon, value = _DIGIT.sub("", _pattern(edge.line.text)).partition(":")
        if colon and value.strip() and len(label) <= _LABEL_CHARACTERS and any(map(str.isalpha, label)):
            entries[label.strip(), edge.place].append((edge.page, value.strip()))
    found: set[int] = set()
    for filled in entries.values():
        if len({value for _, value in filled}) >= _MIN_PAGES:
            found.update(page for page, _ in filled)
    return found


def _least(edge: _EdgeLine, pages: int, body_size: float) -> int:
    """Return the number of pages on which a line makes it furniture: two of a few, as left and right pages differ."""
    is_alone = edge.row == 0 and edge.is_with_text and not edge.line.is_row and not _is_large(edge, body_size)
    return 2 if pages <= _FEW_PAGES and is_alone else _MIN_PAGES


def _is_large(edge: _EdgeLine, body_size: float) -> bool:
    """Return whether the line may be a title: it is larger than running headers are."""
    return edge.line.size > _LARGE * body_size and _LABEL.search(edge.line.text) is None


def _pattern_of(edge: _EdgeLine, body_size: float) -> str:
    return edge.line.text if _is_large(edge, body_size) else _pattern(edge.line.text)


def _numbered(edges: Sequence[_EdgeLine], body_size: float) -> Iterator[_EdgeLine]:
    """Yield the lines at the very edge that begin or end with the page's number, or are a number."""
    steps = Counter[tuple[int, bool]]()
    places = Counter[int]()
    of_edge: list[tuple[_EdgeLine, set[int]]] = []
    for edge in edges:
        if edge.row <= 1:
            found = {number - edge.page for number in _outer_numbers(edge.line.text)}
            of_edge.append((edge, found))
            steps.update((step, edge.place >= 0) for step in found)
            places[edge.place] += bool(found) and edge.row == 0 and edge.line.size < body_size
    for edge, found in of_edge:
        is_regular = any(steps[step, edge.place >= 0] >= _MIN_PAGES for step in found)
        is_bare = _BARE_NUMBER.fullmatch(edge.line.text.strip()) is not None
        is_placed = bool(found) and edge.row == 0 and edge.line.size < body_size and places[edge.place] >= _MIN_PAGES
        is_large = _is_large(edge, body_size)
        if (is_regular and (is_bare or (edge.row == 0 and not is_large))) or is_placed:
            yield edge


def _last_lines(pages: Sequence[PageLayout]) -> Iterator[tuple[int, int]]:
    """Yield page and line of the footers that follow the text of a page at any height.

    Most pages end with the page's number, alone or beside the same words.
    """
    found: defaultdict[tuple[str, int], list[tuple[int, int]]] = defaultdict(list)
    for number, page in enumerate(pages):
        index = max(range(len(page.lines)), key=lambda at: page.lines[at].box.bottom, default=None)
        if index is None or page.lines[index].table >= 0 or len(page.lines[index].text) > _CHARACTERS:
            continue
        text = page.lines[index].text
        for outer in _outer_numbers(text):
            found[_pattern(text), outer - number].append((number, index))
    for lines in found.values():
        if len(lines) >= max(_MIN_PAGES, len(pages) / 2):
            yield from lines


def _outer_numbers(text: str) -> set[int]:
    """Return the numbers at the text's beginning and end."""
    words = text.casefold().strip(_MARKS).split()
    if not words:
        return set()
    found = {_number(word.strip(_MARKS)) for word in (words[0], words[-1])}
    return found - {0}


def _number(word: str) -> int:
    """Return the value of an Arabic or small Roman numeral; 0 for others."""
    if word.isascii() and word.isdigit() and len(word) <= _DIGITS:
        return int(word)
    if not word or len(word) > _ROMAN_LETTERS or not all(letter in _ROMAN for letter in word):
        return 0
    values = [_ROMAN[letter] for letter in word]
    return sum(-value if value < max(values[index:]) else value for index, value in enumerate(values))


def _pattern(text: str) -> str:
    """Return the text without the page numbers at its beginning and end, and behind the word for a page."""
    words = _LABEL.sub("#", text).casefold().strip(_MARKS).split()
    if words and _number(words[-1].strip(_MARKS)):
        words[-1] = "#"
        if len(words) >= _LABEL_WORDS and words[-2] in _OF and _number(words[-3].strip(_MARKS)):
            words[-3] = "#"
    if words and _number(words[0].strip(_MARKS)):
        words[0] = "#"
    return " ".join(words)
