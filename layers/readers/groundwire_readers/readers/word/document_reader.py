"""Reader of Word files: one walk over each part, from which text, pictures, notes and hidden text come."""

import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from groundwire_readers.containers.zip_package import open_package, read_entry
from groundwire_readers.contents.contents import Contents
from groundwire_readers.contents.page_headers import with_page_headers
from groundwire_readers.contents.parsed import ReadingDefect
from groundwire_readers.errors import UnreadableDocument
from groundwire_readers.readers.office.package_parts import Relationship, core_properties, relationships
from groundwire_readers.readers.word.flow.blocks import blocks_of_flow
from groundwire_readers.readers.word.flow.builder import FlowBuilder
from groundwire_readers.readers.word.flow.drawings import Drawings
from groundwire_readers.readers.word.flow.items import Item, Note, Paragraph, flattened
from groundwire_readers.readers.word.flow.table_of_contents import remove_repeated_contents
from groundwire_readers.readers.word.header_lines import HeaderLines
from groundwire_readers.readers.word.numbering.definitions import read_definitions
from groundwire_readers.readers.word.numbering.number_counter import NumberCounter
from groundwire_readers.readers.word.part_walk import walk_part
from groundwire_readers.readers.word.styles import WordStyles
from groundwire_readers.readers.word.visibility.hidden_text import HiddenText
from groundwire_readers.readers.word.word_package import main_document, page_colour, page_headers, text_parts

_STYLES: Final = "word/styles.xml"
_NUMBERING: Final = "word/numbering.xml"


@dataclass(frozen=True, slots=True)
class WordFlow:
    """Items of a Word file in reading order.

    Attributes:
        relationships: those of its main part, by id.
        hides_text: whether hidden text was left out.
    """

    items: Sequence[Item]
    notes: Sequence[Note]
    styles: WordStyles
    relationships: Mapping[str, Relationship]
    hides_text: bool


def read(content: bytes) -> Contents:
    """Return the document's contents; it has no pages, since those depend on the printer.

    Raises:
        UnreadableDocument: damaged, encrypted, or more than is safe to unpack.
    """
    with open_package(content) as package:
        flow = read_flow(package)
        title, properties = core_properties(package)
        lines = _header_lines(package, flow.styles)
    blocks = with_page_headers(blocks_of_flow(flow.items, flow.notes, flow.styles), lines)
    return Contents(blocks, title, properties=properties, defects={ReadingDefect.HIDDEN_TEXT: int(flow.hides_text)})


def read_flow(package: zipfile.ZipFile) -> WordFlow:
    """Return the items of the file.

    If the default font size is tiny and all text has it, people zoom in, so the size does not count as hiding.

    Raises:
        UnreadableDocument: damaged, nested too deeply, or without text parts.
    """
    styles = WordStyles(read_entry(package, _STYLES))
    flow, shows_any = _read_parts(package, styles)
    if flow.hides_text and not shows_any:
        styles.without_default_size()
        flow, _ = _read_parts(package, styles)
    return flow


def _read_parts(package: zipfile.ZipFile, styles: WordStyles) -> tuple[WordFlow, bool]:
    """Return the flow of the text parts, and whether any text is visible."""
    colour = page_colour(package)
    counter = NumberCounter(read_definitions(read_entry(package, _NUMBERING), styles.number_ids()))
    labels: dict[str, dict[str, str]] = {}
    drawings = Drawings(package)
    items: list[Item] = []
    notes: list[Note] = []
    hides_text = shows_any = False
    for name, part in text_parts(package):
        hidden = HiddenText(styles, colour)
        builder = FlowBuilder(styles, counter, labels, relationships(package, name), drawings)
        # The handler of hidden text comes first: the others skip what it marks.
        walk_part(part, [hidden, builder])
        remove_repeated_contents((one for one in flattened(builder.items) if isinstance(one, Paragraph)), styles)
        items += builder.items
        notes += builder.notes
        hides_text |= hidden.found
        shows_any |= hidden.shows_any
    document = main_document(package)
    if not read_entry(package, document):
        raise UnreadableDocument("it is damaged: open it in its own program and save it anew")
    flow = WordFlow(items, notes, styles, relationships(package, document), hides_text or drawings.found)
    return flow, shows_any


def _header_lines(package: zipfile.ZipFile, styles: WordStyles) -> list[str]:
    colour = page_colour(package)
    collector = HeaderLines()
    for part in page_headers(package):
        walk_part(part, [HiddenText(styles, colour), collector])
    return collector.lines
