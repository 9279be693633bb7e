"""Reading of the text of one slide or notes page, shape by shape."""

import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final
from xml.etree.ElementTree import Element

from groundwire_readers.containers.xml_tree import parse_xml
from groundwire_readers.containers.zip_package import read_entry
from groundwire_readers.contents.parsed import Block, BlockKind
from groundwire_readers.readers.html.grid import Cell, CellRow, grid_blocks, span_of
from groundwire_readers.readers.office.alternatives import shown_children
from groundwire_readers.readers.office.charts import chart_blocks
from groundwire_readers.readers.office.package_parts import RELATIONSHIP_NAMESPACE, Relationship
from groundwire_readers.readers.office.presentations.paragraph_numbers import ParagraphNumbers
from groundwire_readers.text.font_symbols import PRIVATE_USE, text_in_font
from groundwire_readers.text.markup import text_with_host
from groundwire_readers.text.normalisation import normalise
from groundwire_readers.text.runs import GAP, Mark, run_of

SLIDE_NAMESPACE: Final = "http://schemas.openxmlformats.org/presentationml/2006/main"
DRAWING_NAMESPACE: Final = "http://schemas.openxmlformats.org/drawingml/2006/main"
_CHARTS: Final = (
    "http://schemas.openxmlformats.org/drawingml/2006/chart chart",
    "http://schemas.microsoft.com/office/drawing/2014/chartex chart",
)
_DIAGRAM: Final = "http://schemas.openxmlformats.org/drawingml/2006/diagram"
_FONTS: Final = (f"{DRAWING_NAMESPACE} latin", f"{DRAWING_NAMESPACE} sym")
_TITLE_TYPES: Final = ("title", "ctrTitle")
_SKIPPED_PLACEHOLDERS: Final = ("dt", "ftr", "hdr", "sldNum", "sldImg")


@dataclass(frozen=True, slots=True)
class Slide:
    """A slide or notes part of the package, with its relationships."""

    package: zipfile.ZipFile
    tree: Element
    relationships: Mapping[str, Relationship]


def blocks_of_slide(slide: Slide) -> Iterator[Block]:
    """Yield the blocks of the slide's shapes, with titles as headings.

    Hidden shapes, dates, footers and slide numbers are left out.
    """
    for shapes in slide.tree.iter(f"{SLIDE_NAMESPACE} spTree"):
        yield from _shapes(shapes, slide)


def _shapes(group: Element, slide: Slide) -> Iterator[Block]:
    for shape in shown_children(group):
        if is_hidden_shape(shape):
            continue
        if shape.tag == f"{SLIDE_NAMESPACE} sp":
            yield from _shape(shape, slide)
        elif shape.tag == f"{SLIDE_NAMESPACE} grpSp":
            yield from _shapes(shape, slide)
        elif shape.tag == f"{SLIDE_NAMESPACE} graphicFrame":
            yield from _graphic_frame(shape, slide)


def is_hidden_shape(shape: Element) -> bool:
    """Return whether the shape is marked as hidden."""
    properties = next(
        (element for holder in shape for element in holder if element.tag == f"{SLIDE_NAMESPACE} cNvPr"), None
    )
    return properties is not None and properties.get("hidden") in ("1", "true")


def _shape(shape: Element, slide: Slide) -> Iterator[Block]:
    placeholder = next(shape.iter(f"{SLIDE_NAMESPACE} ph"), None)
    kind = "" if placeholder is None else placeholder.get("type", "obj")
    labelled = list(_labelled(shape, slide))
    if kind in _TITLE_TYPES and labelled:
        yield Block(BlockKind.HEADING, " ".join(label + text for label, text in labelled), level=1)
    elif kind not in _SKIPPED_PLACEHOLDERS and kind not in _TITLE_TYPES:
        is_list = bool(kind) and len(labelled) > 1
        for label, text in labelled:
            yield Block(BlockKind.LIST_ITEM if is_list or label else BlockKind.PARAGRAPH, label + text)


def _labelled(shape: Element, slide: Slide) -> Iterator[tuple[str, str]]:
    """Yield number and text of each paragraph with text."""
    numbers = ParagraphNumbers()
    for paragraph in shape.iter(f"{DRAWING_NAMESPACE} p"):
        if text := normalise(_line(paragraph, slide)):
            yield numbers.next_label(paragraph), text


def _line(paragraph: Element, slide: Slide) -> str:
    """Return the text of a paragraph, with the host of each link."""
    parts: list[str] = []
    for run in paragraph:
        if run.tag == f"{DRAWING_NAMESPACE} br":
            parts.append("\n")
        elif run.tag in (f"{DRAWING_NAMESPACE} r", f"{DRAWING_NAMESPACE} fld"):
            parts.append(_run(run, slide))
    return "".join(parts)


def _run(run: Element, slide: Slide) -> str:
    text = "".join(element.text or "" for element in run if element.tag == f"{DRAWING_NAMESPACE} t")
    properties = next((element for element in run if element.tag == f"{DRAWING_NAMESPACE} rPr"), None)
    if properties is None:
        return text
    text = _marked_run(text, properties)
    # The address of a link is in the relationships of the part; the element has its id alone.
    clicked = next(properties.iter(f"{DRAWING_NAMESPACE} hlinkClick"), None)
    relationship = None if clicked is None else slide.relationships.get(clicked.get(f"{RELATIONSHIP_NAMESPACE} id", ""))
    return (
        text_with_host(text, relationship.target)
        if relationship is not None and relationship.is_external and text.strip()
        else text
    )


def _marked_run(text: str, properties: Element) -> str:
    """Return the text as a run in its font; its baseline is a part of the font size above the line."""
    for font in (child for child in properties if child.tag in _FONTS):
        name = font.get("typeface", "")
        # The font of symbols is that of their codes alone; letters beside them have the other one.
        is_symbols = font.tag == _FONTS[1]
        text = "".join(
            sign if is_symbols and ord(sign) not in PRIVATE_USE else text_in_font(sign, name) for sign in text
        )
    if properties.get("strike", "noStrike") != "noStrike":
        return run_of(text, GAP)
    baseline = properties.get("baseline", "0")
    if not baseline.strip("-0%"):
        return text
    return run_of(text, Mark.LOWERED if baseline.startswith("-") else Mark.RAISED)


def _graphic_frame(frame: Element, slide: Slide) -> Iterator[Block]:
    """Yield the blocks of tables, charts and diagrams."""
    for table in frame.iter(f"{DRAWING_NAMESPACE} tbl"):
        yield from grid_blocks(_rows(table, slide), names_first=True)
    for chart in (element for tag in _CHARTS for element in frame.iter(tag)):
        if (tree := _related_part(chart, "id", slide)) is not None:
            yield from chart_blocks(tree)
    for diagram in frame.iter(f"{_DIAGRAM} relIds"):
        if (tree := _related_part(diagram, "dm", slide)) is not None:
            texts = [normalise(_line(line, slide)) for line in tree.iter(f"{DRAWING_NAMESPACE} p")]
            yield from (Block(BlockKind.LIST_ITEM, text) for text in texts if text)


def _related_part(element: Element, name: str, slide: Slide) -> Element | None:
    relationship = slide.relationships.get(element.get(f"{RELATIONSHIP_NAMESPACE} {name}", ""))
    content = (
        read_entry(slide.package, relationship.target)
        if relationship is not None and not relationship.is_external
        else b""
    )
    return parse_xml(content) if content else None


def _rows(table: Element, slide: Slide) -> list[CellRow]:
    """Return the table's cells, without the places that a merged cell covers."""
    return [
        CellRow([_cell(cell, slide) for cell in row if cell.tag == f"{DRAWING_NAMESPACE} tc" and not _is_covered(cell)])
        for row in table.iter(f"{DRAWING_NAMESPACE} tr")
    ]


def _is_covered(cell: Element) -> bool:
    return any(cell.get(name) in ("1", "true") for name in ("hMerge", "vMerge"))


def _cell(cell: Element, slide: Slide) -> Cell:
    text = "\n".join(label + text for label, text in _labelled(cell, slide))
    return Cell(text, span_of(cell.get("gridSpan")), span_of(cell.get("rowSpan")))
