"""Text of an OpenDocument file as blocks: headings, paragraphs, lists and tables, in order."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final
from xml.etree.ElementTree import Element

from groundwire_readers.contents.parsed import Block, BlockKind
from groundwire_readers.contents.raw_values import number_of, with_raw_value
from groundwire_readers.contents.sheet_tables import Span
from groundwire_readers.readers.html.grid import Cell, CellRow, grid_blocks, span_of
from groundwire_readers.readers.opendocument.styles import DRAW, OFFICE, PRESENTATION, TABLE, TEXT, Styles
from groundwire_readers.text.font_symbols import text_in_font
from groundwire_readers.text.markup import text_with_host
from groundwire_readers.text.normalisation import normalise
from groundwire_readers.text.runs import GAP, Mark, note_mark, run_of

_HREF: Final = "http://www.w3.org/1999/xlink href"
SKIPPED_ELEMENTS: Final = frozenset(
    [
        *(f"{OFFICE} annotation", f"{OFFICE} forms", f"{TEXT} tracked-changes", f"{TEXT} script"),
        *(f"{TEXT} table-of-content", f"{TEXT} illustration-index", f"{TEXT} table-index", f"{TEXT} note-citation"),
        f"{PRESENTATION} notes",
    ]
)
"""Elements of comments, deleted or hidden text, and indexes that repeat the headings."""
_NOTE: Final = f"{TEXT} note"
_ANCHORED_ELEMENTS: Final = (_NOTE, f"{DRAW} text-box", f"{TABLE} table")
"""Elements anchored in a paragraph, which are read after it."""
_PAGE: Final = f"{TEXT} page-number"
_UNKNOWN_PAGE: Final = "<number>"
"""Text that LibreOffice stores for the number of a slide."""
_CELL, _COVERED_CELL = f"{TABLE} table-cell", f"{TABLE} covered-table-cell"
_SPACES: Final = {f"{TEXT} s": " ", f"{TEXT} tab": "\t", f"{TEXT} line-break": "\n"}
_RUBY_PARTS: Final = {f"{TEXT} ruby-base": Mark.ANNOTATED, f"{TEXT} ruby-text": Mark.GLOSS}
_MAX_LEVEL: Final = 9
_MAX_EMPTY_ROWS: Final = 2
"""Empty rows that are kept of many: so many divide two tables."""
_MAX_REPETITIONS: Final = 100
"""Maximum repetition of a cell: files store empty cells up to the last column as one repeated cell."""


def blocks_of_elements(elements: Iterable[Element], styles: Styles) -> Iterator[Block]:
    """Yield the blocks of the visible content of these elements."""
    for child in elements:
        if child.tag in SKIPPED_ELEMENTS or styles.hides(child) or _is_hidden(child):
            continue
        if child.tag in (f"{TEXT} p", f"{TEXT} h"):
            yield from _paragraph(child, styles)
        elif child.tag == f"{TEXT} list":
            yield from _list(child, styles)
        elif child.tag == f"{TABLE} table":
            yield from _table(child, styles)
        else:
            yield from blocks_of_elements(child, styles)


def _is_hidden(element: Element) -> bool:
    """Return whether an element's own attributes hide it, or a field within it hides the paragraph."""
    return (
        element.get(f"{TEXT} display") == "none"
        or element.get(f"{TEXT} is-hidden") == "true"
        or element.get(f"{DRAW} display") in ("none", "printer")
        or any(child.get(f"{TEXT} is-hidden") == "true" for child in element if child.tag == f"{TEXT} hidden-paragraph")
    )


def _paragraph(element: Element, styles: Styles) -> Iterator[Block]:
    paragraph_style = ("paragraph", element.get(f"{TEXT} style-name", ""))
    text = normalise(_text(element, styles, styles.marks.get(paragraph_style, "")))
    if text and element.tag == f"{TEXT} h":
        level = element.get(f"{TEXT} outline-level", "1")
        depth = int(level) if level.isdecimal() and len(level) < 3 else 1  # noqa: PLR2004
        yield Block(BlockKind.HEADING, text, level=min(max(1, depth), _MAX_LEVEL))
    elif text:
        yield Block(BlockKind.PARAGRAPH, text)
    for anchored in _anchored_elements(element, styles):
        blocks = blocks_of_elements([anchored], styles)
        label = normalise(_label(anchored))
        # A note begins with the mark that the paragraph has.
        first = next(blocks, None) if label else None
        yield from () if first is None else [replace(first, text=f"^{label} {first.text}")]
        yield from blocks


def _label(element: Element) -> str:
    """Return the mark of a note; empty for other elements."""
    citations = (child.text or "" for child in element if child.tag == f"{TEXT} note-citation")
    return next(citations, "").strip() if element.tag == _NOTE else ""


def _anchored_elements(element: Element, styles: Styles) -> Iterator[Element]:
    """Yield the notes, text boxes and tables that are anchored in a paragraph."""
    for child in element:
        if child.tag in _ANCHORED_ELEMENTS:
            yield child
        elif child.tag not in SKIPPED_ELEMENTS and not styles.hides(child) and not _is_hidden(child):
            yield from _anchored_elements(child, styles)


def _list(element: Element, styles: Styles) -> Iterator[Block]:
    for item in element:
        for block in blocks_of_elements(item, styles):
            is_text = block.kind is BlockKind.PARAGRAPH
            yield replace(block, kind=BlockKind.LIST_ITEM) if is_text else block


def _text(element: Element, styles: Styles, mark: str) -> str:
    """Return the visible text of an element with this mark and of the inline elements within it."""
    parts = [run_of("" if element.tag == _PAGE and element.text == _UNKNOWN_PAGE else element.text or "", mark)]
    for child in element:
        if child.tag in _SPACES:
            parts.append(_SPACES[child.tag])
        elif child.tag == _NOTE and not styles.hides(child):
            parts.append(note_mark(_label(child)) if _label(child) else "")
        elif (
            child.tag not in SKIPPED_ELEMENTS
            and child.tag not in _ANCHORED_ELEMENTS
            and not styles.hides(child)
            and not _is_hidden(child)
        ):
            inner_text = _text(child, styles, _mark_within(child, styles, mark))
            inner_text = text_in_font(inner_text, styles.fonts.get(child.get(f"{TEXT} style-name", ""), ""))
            address = child.get(_HREF, "") if child.tag == f"{TEXT} a" else ""
            parts.append(text_with_host(inner_text, address) if address and inner_text.strip() else inner_text)
        parts.append(run_of(child.tail or "", mark))
    return "".join(parts)


def _mark_within(element: Element, styles: Styles, mark: str) -> str:
    own = _RUBY_PARTS.get(element.tag, "") or styles.marks.get(("text", element.get(f"{TEXT} style-name", "")), "")
    return mark if mark == GAP else own or mark


def _table(table: Element, styles: Styles) -> Iterator[Block]:
    """Yield the block of a table of a text: cells that others cover are not shown."""
    hidden = _hidden_columns(table)
    headers = {row for part in table if part.tag == f"{TABLE} table-header-rows" for row in part}
    rows: list[CellRow] = []
    for row in _members(table, f"{TABLE} table-row"):
        if row.get(f"{TABLE} visibility", "visible") == "visible":
            cells: list[Cell] = []
            for column, (element, cell) in enumerate(_shown_cells(row, styles)):
                width = sum(place not in hidden for place in range(column, column + cell.columns))
                if width and element.tag == _CELL:
                    cells.append(replace(cell, columns=width))
            rows += [CellRow(cells, is_header=row in headers)] * _repeated(row, "rows", is_empty=not cells)
    yield from grid_blocks(rows, names_first=True)


def rows_with_spans(table: Element, styles: Styles) -> tuple[list[list[str]], list[tuple[int, Span]]]:
    """Return the cells of the visible rows and columns, and those of them that span several rows or columns."""
    hidden = _hidden_columns(table)
    rows: list[list[str]] = []
    spans: list[tuple[int, Span]] = []
    for row in _members(table, f"{TABLE} table-row"):
        if row.get(f"{TABLE} visibility", "visible") == "visible":
            cells = [cell for index, (_, cell) in enumerate(_shown_cells(row, styles)) if index not in hidden]
            texts = [cell.text for cell in cells]
            start = len(rows)
            spans += [
                (start, (column, start + cell.rows, column + cell.columns))
                for column, cell in enumerate(cells)
                if cell.rows > 1 or cell.columns > 1
            ]
            rows += [texts] * _repeated(row, "rows", is_empty=not any(texts))
    return rows, spans


def _members(table: Element, tag: str) -> Iterator[Element]:
    """Yield rows or columns, also those in groups, but not those of a table within a cell."""
    for child in table:
        if child.tag == tag:
            yield child
        elif child.get(f"{TABLE} display") == "false" and tag == f"{TABLE} table-row":
            continue  # a group that is folded away
        elif child.tag.startswith(f"{TABLE} table-") and child.tag != f"{TABLE} table-row":
            yield from _members(child, tag)


def _shown_cells(row: Element, styles: Styles) -> Iterator[tuple[Element, Cell]]:
    """Yield each cell with its text and spans; a place that another cell covers has no text."""
    for element in row:
        if element.tag in (_CELL, _COVERED_CELL):
            texts = (block.text for block in blocks_of_elements(element, styles)) if element.tag == _CELL else ()
            text = _with_value("\n".join(texts), element)
            width, height = (span_of(element.get(f"{TABLE} number-{unit}-spanned")) for unit in ("columns", "rows"))
            yield from [(element, Cell(text, width, height))] * _repeated(element, "columns", is_empty=not text)


def _with_value(text: str, cell: Element) -> str:
    """Return the text of a cell, with the number that it holds marked where the text has fewer digits."""
    value = number_of(cell.get(f"{OFFICE} value", ""))
    return text if value is None else with_raw_value(text, value)


def _hidden_columns(table: Element) -> set[int]:
    hidden: set[int] = set()
    index = 0
    for column in _members(table, f"{TABLE} table-column"):
        end = index + _repeated(column, "columns", is_empty=False)
        if column.get(f"{TABLE} visibility", "visible") != "visible":
            hidden |= set(range(index, end))
        index = end
    return hidden


def _repeated(element: Element, unit: str, *, is_empty: bool) -> int:
    count = _number(element.get(f"{TABLE} number-{unit}-repeated", "1"))
    # The empty rows down to the end of a sheet are stored as one row, repeated a million times.
    return min(max(1, count), _MAX_EMPTY_ROWS if is_empty and unit == "rows" else _MAX_REPETITIONS)


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 8 else 1  # noqa: PLR2004
