"""Drawings of a Word file: pictures, charts and diagrams, with the data of charts and the text of diagrams."""

import zipfile
from collections.abc import Iterator, Mapping
from typing import Final

from groundwire_readers.containers.xml_tree import parse_xml
from groundwire_readers.containers.zip_package import read_entry
from groundwire_readers.contents.parsed import Block, BlockKind
from groundwire_readers.readers.office.charts import chart_blocks
from groundwire_readers.readers.office.package_parts import Relationship
from groundwire_readers.readers.office.presentations.slides import DRAWING_NAMESPACE
from groundwire_readers.readers.word.flow.items import DrawnData, Part, Picture
from groundwire_readers.readers.word.part_walk import OpenElement
from groundwire_readers.text.normalisation import normalise

_DRAWING: Final = "w:drawing"
_REFERENCES: Final = {"c:chart": "r:id", "cx:chart": "r:id", "dgm:relIds": "r:dm"}
"""Elements that refer to a part with data, with the attribute of the reference."""
_CHARTS: Final = ("c:chart", "cx:chart")


class Drawings:
    """Reader of the drawings of one file; `found` is whether the data of a hidden drawing was left out.

    Each chart and diagram is read once, where it is first visible.
    """

    def __init__(self, package: zipfile.ZipFile) -> None:
        self.found = False
        self._package = package
        self._written: set[str] = set()
        self._properties: list[dict[str, str]] = []

    def start(self, element: OpenElement, parts: list[Part] | None, relationships: Mapping[str, Relationship]) -> None:
        """Handle the start of an element; pictures and references are added to `parts` of the open paragraph."""
        if element.tag == _DRAWING:
            self._properties.append({})
        elif element.tag == "wp:docPr" and self._properties:
            self._properties[-1] |= element.attributes
        elif parts is None:
            return
        elif element.tag == "a:blip" and self._properties and element.attributes.get("r:embed"):
            parts.append(self._drawn_picture(element.attributes["r:embed"]))
        elif element.tag == "v:imagedata":
            around = {} if element.parent is None else element.parent.attributes
            title = element.attributes.get("o:title", "")
            parts.append(Picture(element.attributes.get("r:id", ""), title, around.get("alt", "")))
        elif element.tag in _REFERENCES:
            relationship = relationships.get(element.attributes.get(_REFERENCES[element.tag], ""))
            if relationship is not None and not relationship.is_external:
                parts.append(DrawnData(element.tag, relationship.target))

    def _drawn_picture(self, relationship: str) -> Picture:
        properties = self._properties[-1]
        title, alt_text = properties.get("title", ""), properties.get("descr", "")
        description, properties["description"] = properties.get("description", alt_text), ""
        return Picture(relationship, title, alt_text, description)

    def end(self, element: OpenElement) -> None:
        """Handle the end of an element."""
        if element.tag == _DRAWING and self._properties:
            self._properties.pop()

    def blocks(self, data: DrawnData) -> Iterator[Block]:
        """Yield the data of a chart or the text of a diagram, unless it was read before."""
        content = b"" if data.target in self._written else read_entry(self._package, data.target)
        self._written.add(data.target)
        if not content:
            return
        root = parse_xml(content)
        if data.tag in _CHARTS:
            yield from chart_blocks(root)
            return
        for line in root.iter(f"{DRAWING_NAMESPACE} p"):
            text = normalise("".join(part.text or "" for part in line.iter(f"{DRAWING_NAMESPACE} t")))
            if text:
                yield Block(BlockKind.PARAGRAPH, text)
