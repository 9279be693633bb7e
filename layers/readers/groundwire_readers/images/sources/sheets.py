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
from groundwire_readers.readers.office.package_parts import (
    RELATIONSHIP_NAMESPACE,
    Relationship,
    main_part,
    relationships,
)
from groundwire_readers.readers.office.presentations.slides import DRAWING_NAMESPACE
from groundwire_readers.readers.office.workbooks.hidden_content import visible_workbook
from groundwire_readers.text.normalisation import normalise

_SHEET: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_DRAWING: Final = "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"
_ANCHORS: Final = tuple(f"{_DRAWING} {kind}" for kind in ("twoCellAnchor", "oneCellAnchor", "absoluteAnchor"))
_ROWS_AROUND: Final = 3
"""Rows above and below an image whose text describes it."""
_ROWS_MAX: Final = 600
"""Rows whose texts together are as long as the text near an image may be, however short each is."""
_ROW_DIGITS: Final = 7
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
    with open_package(visible_workbook(content).content) as package:
        workbook = main_part(package)
        listed = relationships(package, workbook)
        shared: list[str] | None = None
        for number, sheet in enumerate(parse_xml(read_entry(package, workbook)).iter(f"{_SHEET} sheet"), 1):
            target = listed.get(sheet.get(f"{RELATIONSHIP_NAMESPACE} id", ""))
            drawings = [] if target is None else _drawings(package, target.target)
            if sheet.get("state", "visible") != "visible" or target is None or not drawings:
                continue
            shared = _shared_texts(package) if shared is None else shared
            rows = _rows(parse_xml(read_entry(package, target.target)), shared)
            name = Block(BlockKind.HEADING, normalise(sheet.get("name", "")), level=1)
            for drawing in drawings:
                yield from _images(package, drawing, number, name, rows)


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
    places = [int(number) for number in numbers if number.isdecimal() and len(number) <= _ROW_DIGITS]
    first, last = (min(places), max(places)) if places else (0, 0)
    start = bisect_left(rows.numbers, first - _ROWS_AROUND + 1)
    end = bisect_right(rows.numbers, last + _ROWS_AROUND + 1)
    return rows.texts[start : min(end, start + _ROWS_MAX)]


def _shared_texts(package: zipfile.ZipFile) -> list[str]:
    content = read_entry(package, "xl/sharedStrings.xml")
    if not content:
        return []
    return [
        "".join(text.text or "" for text in item.iter(f"{_SHEET} t"))
        for item in parse_xml(content).iter(f"{_SHEET} si")
    ]


def _rows(sheet: Element, shared: list[str]) -> _Rows:
    """Return the rows with a text; of several with the same number the last."""
    found: dict[int, str] = {}
    for row in sheet.iter(f"{_SHEET} row"):
        number = row.get("r", "")
        texts = [_cell_text(cell, shared) for cell in row.iter(f"{_SHEET} c")]
        if number.isdecimal() and len(number) <= _ROW_DIGITS and any(texts):
            found[int(number)] = " | ".join(filter(None, texts))
    numbers = sorted(found)
    return _Rows(numbers, [found[number] for number in numbers])


def _cell_text(cell: Element, shared: list[str]) -> str:
    if cell.get("t") == "inlineStr":
        return normalise("".join(text.text or "" for text in cell.iter(f"{_SHEET} t")))
    text = next((one.text or "" for one in cell.iter(f"{_SHEET} v")), "")
    # Type `s` is a number in the list of shared texts (ISO/IEC 29500-1, 18.18.11).
    if cell.get("t") != "s":
        return normalise(text)
    is_known = text.isdecimal() and len(text) <= _ROW_DIGITS and int(text) < len(shared)
    return normalise(shared[int(text)]) if is_known else ""
