"""Typography of a document's body text: the reference for detecting headings, paragraphs and divided words."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from groundwire_readers.readers.pdf.layout.lines import overlap_in_width
from groundwire_readers.readers.pdf.layout.page_layout import PageLayout

_MAX_WORDS: Final = 200_000
"""Maximum number of words that are kept of a document."""
_WORD: Final = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_HYPHENS: Final = ("-", "\u2010", "\u00ad")
_DEFAULT_LEADING: Final = 1.2
"""Leading of a font size with too few lines, in font sizes: the usual default of typesetting."""
_MAX_LEADING: Final = 3.0
"""Maximum baseline distance that counts as leading, in font sizes."""
_LEADING_STEPS: Final = 20
"""Number of histogram classes per font size into which baseline distances are rounded."""
_SAME_SIZE_POINTS: Final = 0.5
"""Maximum difference of the font sizes of two lines that are compared, in points."""
_MIN_LINE_PAIRS: Final = 3
"""Minimum number of pairs of lines from which a leading is derived."""
_LINE_END_SPACE_SHARE: Final = 0.1
"""Share of Korean line ends with a space from which the document writes spaces there."""
_MAJORITY: Final = 0.6
"""Share of characters from which the body is bold or monospaced."""


@dataclass(frozen=True, slots=True)
class DocumentStyle:
    """Typography of the body text.

    Attributes:
        size: font size of most characters, in points.
        is_bold, is_monospaced: whether most of the text is.
        leading: baseline distance in points, by font size in whole points.
        has_line_end_spaces: whether Korean lines that end with a word end with a space.
        words: vocabulary of the document, case folded; compounds with hyphens are included whole and in parts.
    """

    size: float
    is_bold: bool
    is_monospaced: bool
    leading: dict[float, float]
    words: frozenset[str]
    has_line_end_spaces: bool

    def leading_of(self, size: float) -> float:
        """Return the baseline distance of text of this font size, both in points."""
        return self.leading.get(round(size), _DEFAULT_LEADING * size)


def body_size_of(pages: Iterable[PageLayout]) -> float:
    """Return the font size of most characters, in points."""
    sizes = Counter[float]()
    for page in pages:
        for line in page.lines:
            # Rounded to half a point, since the sizes of scaled text differ slightly.
            sizes[round(line.size * 2) / 2] += len(line.text)
    return max(sizes, key=lambda each: (sizes[each], each), default=10.0)


def style_of(pages: Sequence[PageLayout]) -> DocumentStyle:
    """Return the typography of the body, measured over all lines of the pages."""
    bold = monospaced = total = 0
    for line in (line for page in pages for line in page.lines):
        count = len(line.text)
        total += count
        bold += count if line.is_bold else 0
        monospaced += count if line.is_monospaced else 0
    is_bold, is_monospaced = bold > _MAJORITY * total, monospaced > _MAJORITY * total
    return DocumentStyle(
        body_size_of(pages),
        is_bold,
        is_monospaced,
        _leading(pages),
        frozenset(_words(pages)),
        _has_line_end_blanks(pages),
    )


def _has_line_end_blanks(pages: Iterable[PageLayout]) -> bool:
    counts = Counter(line.ends_word for page in pages for line in page.lines if _is_korean(line.text[-1:]))
    return counts[True] >= _LINE_END_SPACE_SHARE * counts.total()


def _leading(pages: Iterable[PageLayout]) -> dict[float, float]:
    """Return the most frequent baseline distance by font size."""
    histograms: defaultdict[float, Counter[int]] = defaultdict(Counter)
    for page in pages:
        for first, second in zip(page.lines, page.lines[1:], strict=False):
            distance = second.box.bottom - first.box.bottom
            if (
                first.size
                and abs(first.size - second.size) <= _SAME_SIZE_POINTS
                and 0 < distance <= _MAX_LEADING * first.size
                and overlap_in_width(first.box, second.box) > 0
            ):
                histograms[round(first.size)][round(distance / first.size * _LEADING_STEPS)] += 1
    return {
        size: counts.most_common(1)[0][0] / _LEADING_STEPS * size
        for size, counts in histograms.items()
        if counts.total() >= _MIN_LINE_PAIRS
    }


def _words(pages: Iterable[PageLayout]) -> set[str]:
    vocabulary: set[str] = set()
    follows_hyphen = False
    for line in (line for page in pages for line in page.lines):
        if len(vocabulary) >= _MAX_WORDS:
            break
        words = _WORD.findall(line.text)
        # Words cut by a line break are left out: after a hyphen, and always in Korean, which divides words without one.
        ends_with_hyphen = line.text.endswith(_HYPHENS)
        first = 1 if follows_hyphen or _is_korean(line.text[:1]) else 0
        last = len(words) - 1 if ends_with_hyphen or _is_korean(line.text[-1:]) else len(words)
        for word in words[first:last]:
            vocabulary.add(word.casefold())
            # The parts of a compound are words as well.
            vocabulary.update(part.casefold() for part in word.split("-") if "-" in word)
        follows_hyphen = ends_with_hyphen
    return vocabulary


def _is_korean(character: str) -> bool:
    return "\uac00" <= character <= "\ud7a3"
