"""Search for the tables of a page."""

from collections.abc import Sequence

from groundwire.adapters.parse.readers.pdf.page_content import PageContent
from groundwire.adapters.parse.readers.pdf.tables.borderless import borderless_table
from groundwire.adapters.parse.readers.pdf.tables.found_table import FoundTable
from groundwire.adapters.parse.readers.pdf.tables.regions import table_regions
from groundwire.adapters.parse.readers.pdf.tables.text_columns import text_columns
from groundwire.adapters.parse.readers.pdf.tables.visual_lines import visual_lines


def find_tables(page: PageContent) -> Sequence[FoundTable]:
    """Return the tables of the page from top to bottom."""
    found: list[FoundTable] = []
    for words in text_columns(page.words, page.width):
        lines = visual_lines(words)
        tables = (borderless_table(lines[start:end], page.rules) for start, end in table_regions(lines))
        found += (table for table in tables if table is not None)
    return tuple(sorted(found, key=lambda table: (table.box.top, table.box.left)))
