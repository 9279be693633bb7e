"""OpenDocument files: texts, sheets and slides, without what their programs do not show."""

import zipfile
from collections.abc import Iterator
from dataclasses import replace
from typing import Final
from xml.etree.ElementTree import Element

from groundwire.adapters.parse.contents import Contents
from groundwire.adapters.parse.open_styles import DRAW, OFFICE, PRESENTATION, TABLE, Styles, styles_of
from groundwire.adapters.parse.open_text import blocks_of, rows_of
from groundwire.adapters.parse.package import opened, part
from groundwire.adapters.parse.tables import table_block
from groundwire.adapters.parse.xml_tree import tree_of
from groundwire.domain.documents import Block, BlockKind
from groundwire.domain.errors import DocumentRefused
from groundwire.domain.text import normalise

_CORE: Final = "http://purl.org/dc/elements/1.1/"
_META: Final = "urn:oasis:names:tc:opendocument:xmlns:meta:1.0"
_FACTS: Final = {
    "author": f"{_CORE} creator",
    "subject": f"{_CORE} subject",
    "keywords": f"{_META} keyword",
    "created": f"{_META} creation-date",
    "modified": f"{_CORE} date",
}


def read(content: bytes) -> Contents:
    """The document; sheets and slides are its pages.

    Raises:
        DocumentRefused: damaged, encrypted, or more than is safe to unpack.
    """
    with opened(content) as package:
        if b"encryption-data" in part(package, "META-INF/manifest.xml"):
            raise DocumentRefused("it is encrypted: save it without a password")
        tree = tree_of(part(package, "content.xml"))
        styles = styles_of([tree, *_optional(package, "styles.xml")])
        properties = next(_optional(package, "meta.xml"), None)
    sheets, slides = list(tree.iter(f"{OFFICE} spreadsheet")), list(tree.iter(f"{OFFICE} presentation"))
    title = None if properties is None else _first(properties, f"{_CORE} title")
    facts = {} if properties is None else _facts(properties)
    if sheets:
        return _paged([list(_sheet(table, styles)) for table in _tables(sheets[0])], title, facts)
    if slides:
        return _paged([list(_slide(page, styles)) for page in slides[0].iter(f"{DRAW} page")], title, facts)
    return Contents(list(blocks_of(tree, styles)), title, facts=facts)


def _paged(pages: list[list[Block]], title: str | None, facts: dict[str, object]) -> Contents:
    blocks = [replace(block, page=number, group=number) for number, page in enumerate(pages, 1) for block in page]
    return Contents(blocks, title, pages=len(pages), facts=facts)


def _tables(sheets: Element) -> Iterator[Element]:
    yield from (child for child in sheets if child.tag == f"{TABLE} table")


def _sheet(table: Element, styles: Styles) -> Iterator[Block]:
    if styles.hide(table):
        return
    cells = list(table_block(rows_of(table, styles), None))
    if cells:
        yield Block(BlockKind.HEADING, normalise(table.get(f"{TABLE} name", "")), level=1)
        yield from cells


def _slide(page: Element, styles: Styles) -> Iterator[Block]:
    """The title as heading, all else in order, the speaker's notes last."""
    if styles.hide(page):
        return
    titles = [frame for frame in page if frame.get(f"{PRESENTATION} class") == "title"]
    if title := " ".join(block.text for block in blocks_of(titles, styles)):
        yield Block(BlockKind.HEADING, title, level=1)
    yield from blocks_of((shape for shape in page if shape not in titles), styles)
    notes = [block for note in page.iter(f"{PRESENTATION} notes") for block in blocks_of(note, styles)]
    if notes:
        yield from [Block(BlockKind.PARAGRAPH, "Notes:"), *notes]


def _optional(package: zipfile.ZipFile, name: str) -> Iterator[Element]:
    content = part(package, name)
    if content:
        yield tree_of(content)


def _first(tree: Element, tag: str) -> str | None:
    return next(("".join(element.itertext()).strip() for element in tree.iter(tag)), None)


def _facts(properties: Element) -> dict[str, object]:
    found = {
        name: ["".join(element.itertext()).strip() for element in properties.iter(tag)] for name, tag in _FACTS.items()
    }
    return {name: texts if name == "keywords" else texts[0] for name, texts in found.items() if any(texts)}
