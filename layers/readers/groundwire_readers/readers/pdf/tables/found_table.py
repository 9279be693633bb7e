"""Result of the search for tables on a page."""

from dataclasses import dataclass

from groundwire_readers.readers.pdf.page_content import PageBox


@dataclass(frozen=True, slots=True)
class FoundTable:
    """A table of a page.

    Attributes:
        box: its place, the caption included.
        rows: its cells, header first, each row of the same length. If `is_aligned_text`, the parts of each line.
        header_rows: number of the rows that are its header; 0 where no row is.
        caption: lines at its head that are said of all of it, such as its title, period and unit.
        is_aligned_text: its cells are not certain.
    """

    box: PageBox
    rows: tuple[tuple[str, ...], ...]
    header_rows: int
    caption: str
    is_aligned_text: bool
