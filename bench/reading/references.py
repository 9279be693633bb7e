"""References: a file's text as people wrote it down, or the text layer of a PDF."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.reading.markdown import read_markdown
from bench.reading.page_words import outline_of, pages_of
from bench.reading.reading import Reading, TableRows
from bench.reading.sections import SectionLine, section_lines
from bench.reading.text_layer import numbered_headings, reference_words
from bench.reading.visual_lines import TableLine, row, table_lines, visual_lines
from bench.reading.words import without_contents_lines, words

TRUTH: Final = "truth"
TEXT_LAYER: Final = "text layer"
TITLES: Final = "titles.json"
"""File of the folder with the titles that are right: `{"report.pdf": "Annual Report"}`."""
_PDF: Final = ".pdf"
_MIN_SPAN: Final = 3


@dataclass(frozen=True, slots=True)
class Reference:
    """Reference against which a reading of one file is measured.

    Attributes:
        kind: `TRUTH` or `TEXT_LAYER`, of the words. The rows of a PDF's tables are always those of its text layer.
        has_every_heading: the headings are all that the file has, so that another one is none.
        pages: text of each page; empty where a file has none.
        sections: lines of a PDF's numbered sections.
    """

    file: Path
    kind: str
    words: Sequence[str]
    lines: Sequence[TableLine]
    headings: Sequence[str]
    has_every_heading: bool
    title: str | None
    pages: Sequence[str]
    sections: Sequence[SectionLine] = ()


def references(folder: Path) -> Iterator[Reference | Path]:
    """Yield the reference of each file of the folder, in order of their names; the file itself where it has none."""
    titles = _titles(folder)
    for file in sorted(path for path in folder.iterdir() if path.is_file() and path.name != TITLES):
        truth = folder / "truth" / f"{file.name}.md"
        reading = read_markdown(truth.read_text(encoding="utf-8")) if truth.is_file() else None
        title = titles.get(file.name) or (reading.title if reading else None)
        if file.suffix.lower() == _PDF:
            reference = _of_pdf(file, reading, title)
            yield reference if reference.words else file
        elif reading is not None:
            yield Reference(
                file, TRUTH, _words(reading), _rows(reading.tables), reading.headings, bool(reading.headings), title, ()
            )
        else:
            yield file


def _titles(folder: Path) -> Mapping[str, str]:
    file = folder / TITLES
    return json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


def _of_pdf(file: Path, truth: Reading | None, title: str | None) -> Reference:
    content = file.read_bytes()
    pages = list(pages_of(content))
    lines = [visual_lines(number, page) for number, page in enumerate(pages, 1)]
    texts = [" ".join(word.text for word in page) for page in pages]
    rows, sections = table_lines(lines), list(section_lines(lines))
    if truth is not None:
        return Reference(file, TRUTH, _words(truth), rows, truth.headings, bool(truth.headings), title, texts, sections)
    headings = outline_of(content) or numbered_headings(lines)
    return Reference(file, TEXT_LAYER, reference_words(pages), rows, headings, False, title, texts, sections)


def _words(truth: Reading) -> list[str]:
    return words(without_contents_lines(truth.text))


def _rows(tables: Sequence[TableRows]) -> list[TableLine]:
    """Return the rows of the tables; a header's cell that is repeated since it spans columns counts once."""
    found: list[TableLine] = []
    for table in tables:
        found += [row(len(found) + at, _once(cells) if at == 0 else cells) for at, cells in enumerate(table)]
    return [line for line in found if len(line.words) > 1]


def _once(cells: Sequence[str]) -> list[str]:
    return [cell for at, cell in enumerate(cells) if at == 0 or cell != cells[at - 1] or len(cell) < _MIN_SPAN]
