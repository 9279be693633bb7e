"""Images of workbooks: pictures on the visible sheets, with the cells around them."""

import zipfile
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import partial
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

from groundwire_readers.containers.xml_tree import parse_xml
from groundwire_readers.containers.zip_package import open_package, read_entry
from groundwire_readers.contents.parsed import Block, BlockKind
from groundwire_readers.images.flow import Candidate, FlowImage, candidates_of_page
from groundwire_readers.images.texts import join_texts
from groundwire_readers.readers.office.package_parts import RELATIONSHIP_NAMESPACE, Relationship, relationships
from groundwire_readers.readers.office.presentations.slides import DRAWING_NAMESPACE
from groundwire_readers.readers.office.workbooks.sheet_cells import SheetRows
from groundwire_readers.readers.office.workbooks.workbook import OpenWorkbook
from groundwire_readers.text.normalisation import normalise

_DRAWING: Final = "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"
_ANCHORS: Final = tuple(f"{_DRAWING} {kind}" for kind in ("twoCellAnchor", "oneCellAnchor", "absoluteAnchor"))
_ROWS_AROUND: Final = 3
"""Rows above and below an image whose text describes it."""
_ROWS_MAX: Final = 600
"""Rows whose texts together are as long as the text near an image may be, however short each is."""
_PLACE_DIGITS: Final = 7
_HIDDEN: Final = ("1", "true")


class _Rows(NamedTuple):
    """Sheet rows that have a text: their numbers, from 1, in ascending order, and their texts."""

    numbers: list[int]
    texts: list[str]


def find_images(content: bytes) -> Iterator[Candidate]:
    """Yield the images of the visible sheets.

    Raises:
        UnreadableDocument: damaged, or more than is safe to unpack.
    """
    with open_package(content) as package:
        book = OpenWorkbook.read(package)
        for sheet in book.sheets.visible:
            drawings = _drawings(package, sheet.path) if sheet.path else []
            if not drawings:
                continue
            rows = _rows(book.texts_of(sheet).rows)
            name = Block(BlockKind.HEADING, normalise(sheet.name), level=1)
            for drawing in drawings:
                yield from _images(package, drawing, sheet.number, name, rows)


def _drawings(package: zipfile.ZipFile, path: str) -> list[Relationship]:
    return [one for one in relationships(package, path).values() if one.kind == "drawing" and not one.is_external]


def _images(
    package: zipfile.ZipFile, drawing: Relationship, page: int, name: Block, rows: _Rows
) -> Iterator[Candidate]:
    targets = relationships(package, drawing.target)
    content = read_entry(package, drawing.target)
    for anchor in parse_xml(content) if content else ():
        if anchor.tag not in _ANCHORS:
            continue
        for picture in anchor.iter(f"{_DRAWING} pic"):
            if images := list(_image(package, picture, targets)):
                around = [Block(BlockKind.PARAGRAPH, text) for text in _texts_around(anchor, rows)]
                yield from candidates_of_page(page, [name, *around], images)


def _image(package: zipfile.ZipFile, picture: Element, targets: dict[str, Relationship]) -> Iterator[FlowImage]:
    properties = next(picture.iter(f"{_DRAWING} cNvPr"), None)
    if properties is not None and properties.get("hidden") in _HIDDEN:
        return
    alt = "" if properties is None else join_texts(properties.get("title", ""), properties.get("descr", ""))
    for blip in picture.iter(f"{DRAWING_NAMESPACE} blip"):
        target = targets.get(blip.get(f"{RELATIONSHIP_NAMESPACE} embed", ""))
        if target is not None and target.kind == "image" and not target.is_external:
            yield FlowImage(partial(read_entry, package, target.target), alt)


def _texts_around(anchor: Element, rows: _Rows) -> list[str]:
    """Return the text of the rows near an image; that of the first rows where it has no place in the grid."""
    numbers = [row.text or "" for row in anchor.iter(f"{_DRAWING} row")]
    places = [int(number) for number in numbers if number.isdecimal() and len(number) <= _PLACE_DIGITS]
    first, last = (min(places), max(places)) if places else (0, 0)
    start = bisect_left(rows.numbers, first - _ROWS_AROUND + 1)
    end = bisect_right(rows.numbers, last + _ROWS_AROUND + 1)
    return rows.texts[start : min(end, start + _ROWS_MAX)]


def _rows(cells: SheetRows) -> _Rows:
    numbers = sorted(cells)
    return _Rows(
        numbers, [" | ".join(normalise(text) for _, text in sorted(cells[number].items())) for number in numbers]
    )
