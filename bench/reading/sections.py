"""Lines of numbered sections: the passage that has one must name the number of its section."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from bench.reading.headings import number_of
from bench.reading.share import Share
from bench.reading.text_layer import is_numbered_heading, without_edges
from bench.reading.visual_lines import VisualLine
from bench.reading.words import words
from groundwire.domain.documents.segment import Chunk

MIN_WORDS = 8
"""Words of a line that is looked for: fewer are in several places, or are the rest of a heading."""

SectionLine = tuple[str, tuple[str, ...]]
"""The number of the section, and the words of the line."""


def section_lines(pages: Sequence[Sequence[VisualLine]]) -> Iterator[SectionLine]:
    """Yield the long lines below each line that is a numbered heading, until the next such line."""
    number = ""
    for line in without_edges(pages):
        if is_numbered_heading(line):
            number = number_of(line.text)
        elif number and len(found := words(line.text)) >= MIN_WORDS:
            yield number, tuple(found)


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
