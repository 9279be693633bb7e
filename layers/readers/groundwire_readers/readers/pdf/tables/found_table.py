"""Result of the search for tables on a page."""

from dataclasses import dataclass

from groundwire_readers.readers.pdf.page_content import PageBox


@dataclass(frozen=True, slots=True)
class FoundTable:
    """A table of a page.

    Attributes:
        box: its position, caption included.
        rows: its cells, header first, all rows of one length; if `is_aligned_text`, the parts of each line.
        header_rows: number of header rows; 0 without a header.
        caption: lines above it that apply to the whole table, such as title, period and unit.
        is_aligned_text: whether its columns are uncertain, so that it is kept as preformatted text.
        is_open_below: whether no line is below its last row, which may continue on the next page.
    """

    box: PageBox
    rows: tuple[tuple[str, ...], ...]
    header_rows: int
    caption: str
    is_aligned_text: bool
    is_open_below: bool = False
