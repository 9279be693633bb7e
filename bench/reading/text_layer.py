"""Text layer of a PDF as a reference: words in the order of its content, rows of tables, headings with numbers."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from bench.reading.page_words import PageWord
from bench.reading.visual_lines import VisualLine, visual_lines
from bench.reading.words import is_contents_line, plain, words

_EDGE_LINES: Final = 2
_MIN_REPEATS: Final = 3
"""Pages with the same line at their edge, digits aside: then it is a running head or foot."""
_DIGITS: Final = re.compile(r"\d+")
_LONE_NUMBER: Final = re.compile(r"[-–—\s]*(?:\d+|[ivxlc]+)[-–—\s]*", re.ASCII)
_HEADING: Final = re.compile(r"\d{1,2}(?:\.\d{1,3})+\.?\s+(\S)")
_LETTER: Final = re.compile(r"[^\W\d_]")
_MAX_HEADING_WORDS: Final = 14


def reference_words(pages: Sequence[Sequence[PageWord]]) -> list[str]:
    """Return the words that a reader has to give, in order: without running heads, page numbers and contents."""
    lines = [visual_lines(number, page) for number, page in enumerate(pages, 1)]
    left_out = {id(word) for line in _left_out(lines) for word in line.words}
    kept = [word for page in pages for word in page if id(word) not in left_out]
    return [found for text in _whole_words(kept) for found in words(text)]


def numbered_headings(lines: Sequence[Sequence[VisualLine]]) -> list[str]:
    """Return the lines that begin with a section's number, each once."""
    texts = [line.text for page in lines for line in page if is_numbered_heading(line)]
    return list({tuple(words(text)): text for text in texts}.values())


def is_numbered_heading(line: VisualLine) -> bool:
    """Return true for a short line that begins with a section's number; the number may be a cell."""
    text = line.text
    number = _HEADING.match(text)
    is_short = len(text.split()) <= _MAX_HEADING_WORDS and len(line.cells) <= 2 and text[-1] not in ".,;:"
    is_named = number is not None and not number[1].islower() and _LETTER.search(text) is not None
    return is_short and is_named and not is_contents_line(text)


def without_edges(lines: Sequence[Sequence[VisualLine]]) -> Iterator[VisualLine]:
    """Yield the lines of the document without running heads, page numbers and contents.

    A heading with a number at its end is a running head at a page's edge.
    """
    left_out = {id(line) for line in _left_out(lines)}
    for page in lines:
        edges = {id(line) for line in _edges(page) if line.text[-1:].isdigit() and is_numbered_heading(line)}
        yield from (line for line in page if id(line) not in left_out and id(line) not in edges)


def _left_out(lines: Sequence[Sequence[VisualLine]]) -> Iterator[VisualLine]:
    counts = Counter(folded for page in lines for folded in {_folded(line) for line in _edges(page)})
    for page in lines:
        for line in _edges(page):
            if counts[_folded(line)] >= _MIN_REPEATS or _LONE_NUMBER.fullmatch(plain(line.text)):
                yield line
        yield from (line for line in page if is_contents_line(line.text))


def _edges(page: Sequence[VisualLine]) -> list[VisualLine]:
    return [*page[:_EDGE_LINES], *page[-_EDGE_LINES:]]


def _folded(line: VisualLine) -> str:
    return _DIGITS.sub("#", plain("".join(line.text.split())))


def _whole_words(found: Sequence[PageWord]) -> Iterator[str]:
    """Yield the words; the halves of one that a line's end parts as `_halves` has them."""
    known = {_bare(word.text) for word in found if not word.is_broken and not word.is_rest}
    first = ""
    for word in found:
        if first:
            yield _halves(first, word.text, known) if word.is_rest else first
        if not first or not word.is_rest:
            yield from () if word.is_broken else (word.text,)
        first = word.text if word.is_broken else ""
    if first:
        yield first


def _halves(first: str, rest: str, known: AbstractSet[str]) -> str:
    """Return one word, or two parts if the document has them hyphenated or only as separate words in other places.

    A line's end that parts a word is written as one that follows a word's own hyphen.
    """
    whole, halves = _bare(first + rest), {_bare(first), _bare(rest)}
    is_separate = whole not in known and (_bare(f"{first}-{rest}") in known or halves <= known)
    return f"{first} {rest}" if is_separate else first + rest


def _bare(word: str) -> str:
    return plain(word).strip(".,;:()[]\"“”‘’'")
