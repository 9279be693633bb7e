"""Editor that inserts the data of charts and the text of diagrams after the paragraph with the drawing."""

import zipfile
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from groundwire_readers.containers.xml_tree import parse_xml
from groundwire_readers.containers.zip_package import read_entry
from groundwire_readers.contents.parsed import Block, BlockKind
from groundwire_readers.readers.office.charts import chart_blocks
from groundwire_readers.readers.office.package_parts import Relationship
from groundwire_readers.readers.word.part_editing import Edit, OpenElement, run_xml
from groundwire_readers.text.normalisation import normalise

_REFERENCES: Final = {"c:chart": "r:id", "cx:chart": "r:id", "dgm:relIds": "r:dm"}
"""Elements that refer to a part with data, with the attribute of the reference."""
_CHARTS: Final = ("c:chart", "cx:chart")
_DRAWING_NAMESPACES: Final = (
    "http://schemas.openxmlformats.org/drawingml/2006/main ",
    "http://purl.oclc.org/ooxml/drawingml/main ",
)


class DrawnData:
    """Editor of one part, which inserts each chart and diagram once, where it is first visible.

    It runs after the editor of hidden text; `found` is whether the data of a hidden drawing was left out.
    """

    def __init__(self, package: zipfile.ZipFile, relationships: Mapping[str, Relationship]) -> None:
        self.edits: list[Edit] = []
        self.found = False
        self._package = package
        self._relationships = relationships
        self._written: set[str] = set()
        self._open: list[list[tuple[OpenElement, str]]] = []

    def start(self, element: OpenElement) -> None:
        """Handle the start of an element."""
        if element.tag == "w:p":
            self._open.append([])
        elif element.tag in _REFERENCES and self._open:
            relationship = self._relationships.get(element.attributes.get(_REFERENCES[element.tag], ""))
            if relationship is not None and not relationship.is_external:
                self._open[-1].append((element, relationship.target))

    def text(self, data: str, element: OpenElement) -> None:
        """Handle text within an element."""

    def end(self, element: OpenElement, end: int) -> None:
        """Handle the end of an element."""
        if element.tag == "w:p" and self._open:
            # Only at its end, it is known which runs of the paragraph are hidden.
            known: dict[OpenElement, bool] = {}
            drawings = self._open.pop()
            blocks = [block for drawing, target in drawings for block in self._drawn(drawing, target, known)]
            if blocks:
                self.edits.append(Edit(end, end, b"".join(map(_block_xml, blocks))))

    def _drawn(self, drawing: OpenElement, target: str, known: dict[OpenElement, bool]) -> Iterator[Block]:
        if target in self._written:
            return
        if _is_hidden(drawing, known):
            self.found = True
            return
        self._written.add(target)
        yield from self._blocks(target, drawing.tag)

    def _blocks(self, target: str, tag: str) -> Iterator[Block]:
        content = read_entry(self._package, target)
        if not content:
            return
        root = parse_xml(content)
        if tag in _CHARTS:
            yield from chart_blocks(root)
            return
        for line in (one for space in _DRAWING_NAMESPACES for one in root.iter(f"{space}p")):
            text = normalise(
                "".join(part.text or "" for space in _DRAWING_NAMESPACES for part in line.iter(f"{space}t"))
            )
            if text:
                yield Block(BlockKind.PARAGRAPH, text)


def _is_hidden(drawing: OpenElement, known: dict[OpenElement, bool]) -> bool:
    """Return whether the drawing or an ancestor within its paragraph is hidden; `known` caches the answer."""
    path: list[OpenElement] = []
    element: OpenElement | None = drawing
    while element is not None and element.tag != "w:p" and element not in known and not element.is_hidden:
        path.append(element)
        element = element.parent
    is_shown = element is None or element.tag == "w:p" or known.get(element) is False
    known |= dict.fromkeys(path, not is_shown)
    return not is_shown


def _block_xml(block: Block) -> bytes:
    if not block.rows:
        return _paragraph_xml(block.text)
    rows = (b"<w:tr>" + _cells_xml(row) + b"</w:tr>" for row in block.rows)
    return b"<w:tbl>" + b"".join(rows) + b"</w:tbl>"


def _cells_xml(row: Iterable[str]) -> bytes:
    return b"".join(b"<w:tc>" + _paragraph_xml(cell) + b"</w:tc>" for cell in row)


def _paragraph_xml(text: str) -> bytes:
    return b"<w:p>" + run_xml(text) + b"</w:p>"
