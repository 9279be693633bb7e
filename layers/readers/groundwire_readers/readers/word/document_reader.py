"""Reader of Word files: their parts are edited (hidden text, numbers, formulas), then read by the parser library."""

import zipfile
from typing import Final

from groundwire_readers import formats
from groundwire_readers.containers.zip_package import read_entry
from groundwire_readers.contents.contents import Contents
from groundwire_readers.contents.page_headers import with_page_headers
from groundwire_readers.contents.parsed import ReadingDefect
from groundwire_readers.readers.office.package_parts import relationships
from groundwire_readers.readers.word.editors.cell_spans import CellSpans
from groundwire_readers.readers.word.editors.deleted_paragraph_marks import with_joined_paragraphs
from groundwire_readers.readers.word.editors.drawn_data import DrawnData
from groundwire_readers.readers.word.editors.font_symbols import FontSymbols
from groundwire_readers.readers.word.editors.header_lines import HeaderLines
from groundwire_readers.readers.word.editors.hidden_text import HiddenText
from groundwire_readers.readers.word.editors.run_marks import NoteMarks, RunMarks
from groundwire_readers.readers.word.editors.table_of_contents import TablesOfContents, may_have_contents
from groundwire_readers.readers.word.editors.text_boxes import TEXT_BOX, TextBoxes
from groundwire_readers.readers.word.equations.equation_editor import Equations
from groundwire_readers.readers.word.numbering.definitions import read_definitions
from groundwire_readers.readers.word.numbering.paragraph_numbers import (
    BULLETS,
    NumberCounter,
    ParagraphNumbers,
    StyleNumbers,
)
from groundwire_readers.readers.word.part_editing import Edit, OpenElement, edit_part
from groundwire_readers.readers.word.styles import WordStyles
from groundwire_readers.readers.word.word_package import (
    STYLES,
    open_word_package,
    page_colour,
    page_headers,
    text_parts,
    with_parts,
)
from groundwire_readers.readers.xberg.extraction import extract
from groundwire_readers.readers.xberg.nodes import blocks_of_nodes

_NUMBERING: Final = "word/numbering.xml"


def read(content: bytes) -> Contents:
    """Return the document's contents; it has no pages, since those depend on the printer.

    Raises:
        UnreadableDocument: damaged, encrypted, or more than is safe to unpack.
    """
    with open_word_package(content) as package:
        parts, hides_text = _prepared_parts(package)
        prepared = with_parts(package, parts)
        lines = _header_lines(package)
    extracted = extract(prepared, formats.DOCX)
    blocks = with_page_headers(blocks_of_nodes(extracted, formats.DOCX), lines)
    defects = {ReadingDefect.HIDDEN_TEXT: int(hides_text)}
    return Contents(blocks, extracted.title, properties=extracted.properties, defects=defects)


def _header_lines(package: zipfile.ZipFile) -> list[str]:
    styles, colour = WordStyles(read_entry(package, STYLES)), page_colour(package)
    collector = HeaderLines()
    for part in page_headers(package):
        edit_part(part, [HiddenText(styles, colour), collector])
    return collector.lines


def _prepared_parts(package: zipfile.ZipFile) -> tuple[dict[str, bytes], bool]:
    """Return the edited parts, and whether any text in them was hidden.

    If the default font size is tiny and all text has it, people zoom in, so the size does not count as hiding.
    """
    styles_part = read_entry(package, STYLES)
    styles = WordStyles(styles_part)
    parts, hides_text, shows_any = _prepared_texts(package, styles)
    if hides_text and not shows_any:
        styles.without_default_size()
        parts, hides_text, _ = _prepared_texts(package, styles)
    parts |= {STYLES: edit_part(styles_part, [StyleNumbers(), StyleHeadings(styles)])} if styles_part else {}
    parts |= {_NUMBERING: BULLETS} if _NUMBERING in package.namelist() else {}
    return parts, hides_text


def _prepared_texts(package: zipfile.ZipFile, styles: WordStyles) -> tuple[dict[str, bytes], bool, bool]:
    """Return the edited text parts, whether any text was hidden, and whether any is visible."""
    colour = page_colour(package)
    counter = NumberCounter(read_definitions(read_entry(package, _NUMBERING), styles.number_ids()))
    parts: dict[str, bytes] = {}
    labels: dict[str, str] = {}
    hides_text = shows_any = False
    for name, part in text_parts(package):
        hidden = HiddenText(styles, colour)
        numbers = ParagraphNumbers(styles, counter)
        drawn = DrawnData(package, relationships(package, name))
        # `hidden` comes first: the editors after it skip what it marks.
        edited = edit_part(
            with_joined_paragraphs(part),
            [
                hidden,
                FontSymbols(),
                RunMarks(),
                NoteMarks(labels),
                Equations(),
                numbers,
                PlainCells(),
                CellSpans(),
                drawn,
            ],
        )
        boxes = [TextBoxes(edited)] if TEXT_BOX.encode() in edited else []
        contents = [TablesOfContents(styles)] if may_have_contents(edited, styles) else []
        parts[name] = edit_part(edited, [*boxes, *contents]) if boxes or contents else edited
        hides_text |= hidden.found or drawn.found
        shows_any |= hidden.shows_any
    return parts, hides_text, shows_any


class StyleHeadings:
    """Editor that detaches body text styles from heading styles, since the library reads derived styles as headings."""

    def __init__(self, styles: WordStyles) -> None:
        self.edits: list[Edit] = []
        self._styles = styles

    def start(self, element: OpenElement) -> None:
        """Handle the start of an element."""

    def text(self, data: str, element: OpenElement) -> None:
        """Handle text within an element."""

    def end(self, element: OpenElement, end: int) -> None:
        """Handle the end of an element."""
        ancestor = element.parent
        if element.tag == "w:outlineLvl" and ancestor is not None:
            ancestor = ancestor.parent
        elif element.tag != "w:basedOn":
            return
        if ancestor is None or ancestor.tag != "w:style":
            return
        if self._styles.is_text(ancestor.attributes.get("w:styleId", "")):
            self.edits.append(Edit(element.first, end))


class PlainCells:
    """Editor that removes text formats in tables, which the parser library would write as Markdown into cells."""

    def __init__(self) -> None:
        self.edits: list[Edit] = []
        self._tables = 0

    def start(self, element: OpenElement) -> None:
        """Handle the start of an element."""
        self._tables += element.tag == "w:tbl"

    def text(self, data: str, element: OpenElement) -> None:
        """Handle text within an element."""

    def end(self, element: OpenElement, end: int) -> None:
        """Handle the end of an element."""
        self._tables -= element.tag == "w:tbl"
        if self._tables and element.tag == "w:rPr" and element.parent_tag == "w:r":
            self.edits.append(Edit(element.first, end))
