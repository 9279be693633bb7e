"""Search for the tables of a page."""

from collections.abc import Sequence

from groundwire.adapters.parse.readers.pdf.page_content import PageBox, PageContent, PageWord
from groundwire.adapters.parse.readers.pdf.tables.borderless import borderless_table
from groundwire.adapters.parse.readers.pdf.tables.found_table import FoundTable
from groundwire.adapters.parse.readers.pdf.tables.regions import table_regions
from groundwire.adapters.parse.readers.pdf.tables.ruled import ruled_tables
from groundwire.adapters.parse.readers.pdf.tables.text_columns import text_columns
from groundwire.adapters.parse.readers.pdf.tables.visual_lines import visual_lines


def find_tables(page: PageContent) -> Sequence[FoundTable]:
    """Return the tables of the page from top to bottom."""
    found = [*ruled_tables(page)]
    others = [word for word in page.words if not any(_is_in(word, table.box) for table in found)]
    for words in text_columns(others, page.width):
        lines = visual_lines(words)
        tables = (borderless_table(lines[start:end], page.rules) for start, end in table_regions(lines))
        found += (table for table in tables if table is not None)
    return tuple(sorted(found, key=lambda table: (table.box.top, table.box.left)))


def _is_in(word: PageWord, box: PageBox) -> bool:
    x, y = (word.box.left + word.box.right) / 2, (word.box.top + word.box.bottom) / 2
    return box.left <= x <= box.right and box.top <= y <= box.bottom
