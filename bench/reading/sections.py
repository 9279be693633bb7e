"""Lines of numbered sections: the passage that has one must name the number of its section."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from bench.reading.headings import number_of
from bench.reading.share import Share
from bench.reading.text_layer import is_numbered_heading, without_edges
from bench.reading.visual_lines import VisualLine
from bench.reading.words import words
from groundwire.domain.documents.segment import Chunk

MIN_WORDS: Final = 8
"""Words of a line that is looked for: fewer are in several places, or are the rest of a heading."""
_TALLER: Final = 1.08
_CHAPTER: Final = re.compile(r"\d{1,2}\.?\s+[^\W\da-z]")
_CAPTION: Final = re.compile(r"(?:table|figure|fig\.|example|listing)\s+[\dA-Z]", re.IGNORECASE)

SectionLine = tuple[str, tuple[str, ...]]
"""The number of the section, and the words of the line."""


def section_lines(pages: Sequence[Sequence[VisualLine]]) -> Iterator[SectionLine]:
    """Yield the long lines below each numbered heading, until the next line that looks like a heading."""
    body = _body_height(pages)
    number = ""
    for line in without_edges(pages):
        if _looks_like_heading(line, body):
            number = number_of(line.text) if is_numbered_heading(line) else ""
        elif number and len(found := words(line.text)) >= MIN_WORDS:
            yield number, tuple(found)


def _body_height(pages: Sequence[Sequence[VisualLine]]) -> float:
    """Return the height of most words."""
    counts = Counter[float]()
    for page in pages:
        for line in page:
            counts[round(line.height, 1)] += len(line.words)
    return max(counts, key=lambda height: counts[height], default=0.0)


def _looks_like_heading(line: VisualLine, body: float) -> bool:
    """Return true for a line that is bold or taller than the body, in capitals, or begins with a chapter's number.

    The names of columns and captions may be so, too, and end no section.
    """
    text = line.text
    if len(line.cells) > 2 or _CAPTION.match(text) is not None:
        return False
    is_marked = all(word.is_bold for word in line.words) or line.height > _TALLER * body
    return is_marked or text.isupper() or (_CHAPTER.match(text) is not None and len(text.split()) < MIN_WORDS)


def in_own_sections(lines: Sequence[SectionLine], passages: Sequence[Chunk]) -> Share:
    """Return the share of the lines whose passage has the section's number in its path, of those in one passage."""
    texts = [f" {' '.join(words(passage.text))} " for passage in passages]
    numbers = [{number_of(heading) for heading in passage.heading_path} for passage in passages]
    starts: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for at, text in enumerate(texts):
        found = text.split()
        for first in range(len(found) - MIN_WORDS + 1):
            starts[tuple(found[first : first + MIN_WORDS])].append(at)
    right = judged = 0
    for number, line in lines:
        places = {at for at in starts.get(line[:MIN_WORDS], ()) if f" {' '.join(line)} " in texts[at]}
        if len(places) == 1:
            judged += 1
            right += number in numbers[places.pop()]
    return Share(right, judged)
