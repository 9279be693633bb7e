"""Style of a document's body: what its headings, paragraphs and divided words are compared with."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from groundwire_readers.readers.pdf.layout.lines import overlap_in_width
from groundwire_readers.readers.pdf.layout.page_layout import PageLayout

_VOCABULARY: Final = 200_000
_WORD: Final = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_HYPHENS: Final = ("-", "\u2010", "\u00ad")
_DEFAULT_LEADING: Final = 1.2
_MAX_LEADING: Final = 3.0
_LEADING_STEPS: Final = 20
_SAME_SIZE: Final = 0.5
_MIN_STEPS: Final = 3
"""Minimum number of pairs of lines that show a usual distance."""
_BLANK_SHARE: Final = 0.1
_MOSTLY: Final = 0.6


@dataclass(frozen=True, slots=True)
class DocumentStyle:
    """Style of the body.

    Attributes:
        size: of most characters. is_bold, is_monospaced: most of the text is.
        leading: distance of base lines by font size, both in points.
        has_line_end_blanks: at the end of a line of Korean a blank is written where a word ends.
        words: the words of the document in small letters, those with hyphens whole.
    """

    size: float
    is_bold: bool
    is_monospaced: bool
    leading: dict[float, float]
    words: frozenset[str]
    has_line_end_blanks: bool

    def leading_of(self, size: float) -> float:
        """Return the distance of base lines of text of this size."""
        return self.leading.get(round(size), _DEFAULT_LEADING * size)


def body_size_of(pages: Iterable[PageLayout]) -> float:
    """Return the font size of most characters."""
    sizes = Counter[float]()
    for page in pages:
        for line in page.lines:
            # In steps of half a point, since the sizes of a scaled text differ slightly.
            sizes[round(line.size * 2) / 2] += len(line.text)
    return max(sizes, key=lambda each: (sizes[each], each), default=10.0)


def style_of(pages: Sequence[PageLayout]) -> DocumentStyle:
    """Return the document's style."""
    bold = monospaced = total = 0
    for line in (line for page in pages for line in page.lines):
        count = len(line.text)
        total += count
        bold += count if line.is_bold else 0
        monospaced += count if line.is_monospaced else 0
    is_bold, is_monospaced = bold > _MOSTLY * total, monospaced > _MOSTLY * total
    return DocumentStyle(
        body_size_of(pages),
        is_bold,
        is_monospaced,
        _leading(pages),
        frozenset(_words(pages)),
        _has_line_end_blanks(pages),
    )


def _has_line_end_blanks(pages: Iterable[PageLayout]) -> bool:
    ends = Counter(line.ends_word for page in pages for line in page.lines if _is_korean(line.text[-1:]))
    return ends[True] >= _BLANK_SHARE * ends.total()


def _leading(pages: Iterable[PageLayout]) -> dict[float, float]:
    """Return the usual distance of base lines by font size."""
    steps: defaultdict[float, Counter[int]] = defaultdict(Counter)
    for page in pages:
        for first, second in zip(page.lines, page.lines[1:], strict=False):
            distance = second.box.bottom - first.box.bottom
            if (
                first.size
                and abs(first.size - second.size) <= _SAME_SIZE
                and 0 < distance <= _MAX_LEADING * first.size
                and overlap_in_width(first.box, second.box) > 0
            ):
                steps[round(first.size)][round(distance / first.size * _LEADING_STEPS)] += 1
    return {
        size: counts.most_common(1)[0][0] / _LEADING_STEPS * size
        for size, counts in steps.items()
        if counts.total() >= _MIN_STEPS
    }


def _words(pages: Iterable[PageLayout]) -> set[str]:
    found: set[str] = set()
    is_rest = False
    for line in (line for page in pages for line in page.lines):
        if len(found) >= _VOCABULARY:
            break
        words = _WORD.findall(line.text)
        # The first word may be the rest of one, and the last divided: where hyphens show it, and always in Korean.
        is_divided = line.text.endswith(_HYPHENS)
        first = 1 if is_rest or _is_korean(line.text[:1]) else 0
        last = len(words) - 1 if is_divided or _is_korean(line.text[-1:]) else len(words)
        for word in words[first:last]:
            found.add(word.casefold())
            # The parts of a compound are words, too.
            found.update(part.casefold() for part in word.split("-") if "-" in word)
        is_rest = is_divided
    return found


def _is_korean(character: str) -> bool:
    return "\uac00" <= character <= "\ud7a3"
