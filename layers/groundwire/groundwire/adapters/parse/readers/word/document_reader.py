"""Reader of Word files: their parts are prepared, then the parser library reads them."""

import re
import zipfile
from collections.abc import Iterator
from io import BytesIO
from typing import Final

from groundwire.adapters.parse import formats
from groundwire.adapters.parse.containers.zip_package import open_package, read_entry
from groundwire.adapters.parse.contents import Contents
from groundwire.adapters.parse.readers.office.hidden_content import without_hidden_text
from groundwire.adapters.parse.readers.office.package_parts import relationships
from groundwire.adapters.parse.readers.word.drawn_data import DrawnData
from groundwire.adapters.parse.readers.word.equations.equation_editor import Equations
from groundwire.adapters.parse.readers.word.numbering.definitions import read_definitions
from groundwire.adapters.parse.readers.word.numbering.paragraph_numbers import (
    BULLETS,
    NumberCounter,
    ParagraphNumbers,
    StyleNumbers,
)
from groundwire.adapters.parse.readers.word.part_editing import Edit, OpenElement, edit_part
from groundwire.adapters.parse.readers.word.styles import WordStyles
from groundwire.adapters.parse.readers.xberg.extraction import extract
from groundwire.adapters.parse.readers.xberg.nodes import blocks_of_nodes

_TEXT_PART: Final = re.compile(r"word/(?:document|footnotes|endnotes)\d{0,4}\.xml")
_STYLES: Final = "word/styles.xml"
_NUMBERING: Final = "word/numbering.xml"


def read(content: bytes) -> Contents:
    """Return the document's contents; it has no pages, since those depend on the printer.

    Raises:
        DocumentRefused: damaged, encrypted, or more than is safe to unpack.
    """
    with open_package(without_hidden_text(content)) as package:
        prepared = _with_parts(package, dict(_prepared_parts(package)))
    extracted = extract(prepared, formats.DOCX)
    return Contents(blocks_of_nodes(extracted, formats.DOCX), extracted.title, properties=extracted.properties)


class PlainCells:
    """Editor that takes the format of text in tables away: the parser library writes it as marks into cells."""

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


def _prepared_parts(package: zipfile.ZipFile) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the new content of each part that is read otherwise than it is stored."""
    styles_part, numbering_part = read_entry(package, _STYLES), read_entry(package, _NUMBERING)
    styles = WordStyles(styles_part)
    counter = NumberCounter(read_definitions(numbering_part, styles.number_ids()))
    if styles_part:
        yield _STYLES, edit_part(styles_part, [StyleNumbers()])
    if numbering_part:
        yield _NUMBERING, BULLETS
    for name in sorted({name for name in package.namelist() if _TEXT_PART.fullmatch(name)}):
        editors = [
            Equations(),
            ParagraphNumbers(styles, counter),
            PlainCells(),
            DrawnData(package, relationships(package, name)),
        ]
        yield name, edit_part(read_entry(package, name), editors)


def _with_parts(package: zipfile.ZipFile, parts: dict[str, bytes]) -> bytes:
    """Return the package with these parts instead of its own of the same names."""
    target = BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as written:
        for name in dict.fromkeys(package.namelist()):
            written.writestr(name, parts[name] if name in parts else read_entry(package, name))
    return target.getvalue()
