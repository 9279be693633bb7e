"""Measures of one reading of one file, and their sum over files."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Final

from bench.pdf_citations import judge_pages
from bench.reading.headings import headings_found, is_title
from bench.reading.reading import Reading
from bench.reading.references import Reference
from bench.reading.sections import in_own_sections
from bench.reading.share import Share
from bench.reading.table_rows import row_figures
from bench.reading.words import common_in_order, common_words, in_pieces, is_number, without_contents_lines, words

NONE: Final = Share()


@dataclass(frozen=True, slots=True)
class Measures:
    """Attributes:
    recall: words of the reference that the reader gives. precision: words of the reader that the reference has.
    order: of the words in common, those in the longest common subsequence.
    rows: lines of tables that are whole in one row. lines: those that are whole in a row or in the text.
    out_of_order: rows of tables that are not where their line is, of those whose line is certain.
    split_numbers, split_words: those of the reference that the reader gives in pieces only.
    headings: expected headings that are headings. real_headings: headings that are expected ones.
    title: 1 of 1 when it is right. pages: passages that cite the pages with their words.
    sections: lines of numbered sections whose passage has the number in its path.
    """

    recall: Share = NONE
    precision: Share = NONE
    order: Share = NONE
    rows: Share = NONE
    lines: Share = NONE
    out_of_order: Share = NONE
    split_numbers: Share = NONE
    split_words: Share = NONE
    headings: Share = NONE
    real_headings: Share = NONE
    title: Share = NONE
    pages: Share = NONE
    sections: Share = NONE

    def __add__(self, other: "Measures") -> "Measures":
        return Measures(*(getattr(self, each.name) + getattr(other, each.name) for each in fields(self)))


def total(measured: Iterable[Measures]) -> Measures:
    """Return the sum over files: words, rows and headings weigh alike, whatever file they are in."""
    return sum(measured, Measures())


def measure(reference: Reference, reading: Reading) -> Measures:
    """Return how the reading compares with the reference."""
    text = without_contents_lines(reading.text)
    given = words(text)
    common = common_words(reference.words, given)
    rows = row_figures(reference.lines, reading.tables, text)
    pieces = in_pieces(reference.words, text)
    numbers = sum(is_number(word) for word in reference.words)
    split_numbers = sum(count for word, count in pieces.items() if is_number(word))
    found, real = headings_found(reference.headings, reading.headings)
    return Measures(
        Share(common, len(reference.words)),
        Share(common, len(given)),
        Share(common_in_order(reference.words, given), common),
        rows.whole,
        rows.combined,
        rows.out_of_order,
        Share(split_numbers, numbers),
        Share(pieces.total() - split_numbers, len(reference.words) - numbers),
        found,
        real if reference.has_every_heading else NONE,
        NONE if reference.title is None else Share(int(is_title(reference.title, reading.title)), 1),
        _pages(reference, reading),
        in_own_sections(reference.sections, reading.passages) if reading.passages else NONE,
    )


def _pages(reference: Reference, reading: Reading) -> Share:
    if not reference.pages or not reading.passages:
        return NONE
    judged = judge_pages(reading.passages, reference.pages)
    return Share(judged.right, judged.right + len(judged.wrong))
