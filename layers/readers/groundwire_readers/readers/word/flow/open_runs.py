"""Runs of the open paragraphs of a part: their text, their links, and what turns out to be hidden at its end."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from groundwire_readers.readers.office.package_parts import Relationship
from groundwire_readers.readers.word.flow.drawings import Drawings
from groundwire_readers.readers.word.flow.items import DrawnData, Link, Paragraph, Part
from groundwire_readers.readers.word.part_walk import OpenElement
from groundwire_readers.text.font_symbols import symbol, text_in_font
from groundwire_readers.text.runs import Mark, run_of

_RUN: Final = "w:r"
_SYMBOLS: Final = ("w:sym", "w16se:symEx")
_LINKS: Final = ("w:hyperlink", "w:fldSimple")
_LINK_FIELD: Final = re.compile(r'\s*HYPERLINK\s+"([^"]{1,4000})"', re.IGNORECASE)
_HIDEABLE: Final = (_RUN, "w:drawing", "v:group", "v:shape", "v:rect", "v:roundrect", "v:oval")
_RUBY_PARTS: Final = {"w:rt": Mark.GLOSS, "w:rubyBase": Mark.ANNOTATED}
_SIGNS: Final = {"w:tab": "\t", "w:br": "\n", "w:cr": "\n", "w:ptab": "\n", "w:noBreakHyphen": "\u2011"}


@dataclass(slots=True)
class _Field:
    """Open field with its instruction; `result` is where the text that it shows starts."""

    instruction: str = ""
    result: "_Checkpoint | None" = None


@dataclass(slots=True)
class _Checkpoint:
    """Open element with the number of the parts before it; `font` is that of a run."""

    element: OpenElement
    parts: list[Part]
    count: int
    font: str = ""


class OpenRuns:
    """Runs, links and fields that are open."""

    def __init__(self, relationships: Mapping[str, Relationship], drawings: Drawings) -> None:
        """Take the relationships of the part, and the drawings of the file."""
        self._relationships = relationships
        self._drawings = drawings
        self._open: list[_Checkpoint] = []
        self._links: list[_Checkpoint] = []
        self._fields: list[_Field] = []
        self._is_instruction = False
        self._text: list[str] = []

    def start(self, element: OpenElement, paragraph: Paragraph | None) -> None:
        """Handle the start of an element in a paragraph; None between paragraphs."""
        parts = None if paragraph is None else paragraph.parts
        self._drawings.start(element, parts, self._relationships)
        if element.tag == "w:t":
            self._text = []
        elif element.tag == "w:fldChar":
            here = _Checkpoint(element, [] if parts is None else parts, len(parts or ()))
            self._change_field(element.attributes.get("w:fldCharType", ""), here)
        elif element.tag in _LINKS:
            self._links.append(_Checkpoint(element, [] if parts is None else parts, len(parts or ())))
        elif parts is None or paragraph is None:
            return
        elif element.tag in _HIDEABLE:
            self._open.append(_Checkpoint(element, parts, len(parts)))
        elif element.tag in _SIGNS and element.parent_tag == _RUN:
            self.add(_SIGNS[element.tag], paragraph)
        elif element.tag == "w:rFonts" and self._open and element.parent and element.parent.parent is self._run:
            self._open[-1].font = element.attributes.get("w:ascii") or element.attributes.get("w:hAnsi", "")

    @property
    def _run(self) -> OpenElement:
        return self._open[-1].element

    def text(self, data: str, element: OpenElement) -> None:
        """Handle text within an element."""
        if element.tag == "w:t":
            self._text.append(data)
        elif element.tag == "w:instrText" and self._fields:
            self._fields[-1].instruction += data

    def end(self, element: OpenElement, paragraph: Paragraph | None) -> None:
        """Handle the end of an element."""
        if element.tag == "w:t" or element.tag in _SYMBOLS:
            self._end_text(element, paragraph)
        elif element.tag in _LINKS:
            self._end_link(self._links.pop(), self._address(element))
        elif self._open and self._run is element:
            checkpoint = self._open.pop()
            if element.is_left_out:
                removed = checkpoint.parts[checkpoint.count :]
                self._drawings.found |= any(isinstance(part, DrawnData) for part in removed)
                del checkpoint.parts[checkpoint.count :]
        self._drawings.end(element)

    def add(self, text: str, paragraph: Paragraph) -> None:
        """Add text to the paragraph, unless it is the instruction of a field."""
        if text and not self._is_instruction:
            paragraph.parts.append(text)
            paragraph.has_text |= not text.isspace()

    def _end_text(self, element: OpenElement, paragraph: Paragraph | None) -> None:
        run = element.parent
        if paragraph is None or element.is_left_out or run is None or run.tag != _RUN or not self._open:
            return
        font = self._open[-1].font
        text = text_in_font("".join(self._text), font) if element.tag == "w:t" else _symbol_of(element, font)
        self.add(run_of(text, element.mark or _RUBY_PARTS.get(run.parent_tag, "")), paragraph)

    def _change_field(self, change: str, here: _Checkpoint) -> None:
        self._is_instruction = change == "begin"
        if change == "begin":
            self._fields.append(_Field())
        elif change == "separate" and self._fields:
            self._fields[-1].result = here
        elif change == "end" and self._fields:
            field = self._fields.pop()
            address = _LINK_FIELD.match(field.instruction)
            if field.result is not None and address is not None:
                self._end_link(field.result, address[1])

    def _address(self, element: OpenElement) -> str:
        """Return the address of a link; empty for one within the document, and for other fields."""
        address = _LINK_FIELD.match(element.attributes.get("w:instr", ""))
        relationship = self._relationships.get(element.attributes.get("r:id", ""))
        if relationship is not None and relationship.is_external:
            return relationship.target
        return "" if address is None else address[1]

    @staticmethod
    def _end_link(link: _Checkpoint, address: str) -> None:
        inside = link.parts[link.count :]
        text = "".join(part for part in inside if isinstance(part, str))
        if address and text:
            others: list[Part] = [part for part in inside if not isinstance(part, str)]
            link.parts[link.count :] = [Link(text, address), *others]


def _symbol_of(element: OpenElement, font: str) -> str:
    """Return the character of a symbol element in a run of this font."""
    prefix = element.tag.partition(":")[0]
    own, code = (element.attributes.get(f"{prefix}:{name}", "") for name in ("font", "char"))
    return symbol(code, own or font)
