"""Walk over the XML of a Word part: one pass, of which handlers get the elements and texts that Word displays.

Word recognises elements by their namespace. Here an element has the usual prefix of its namespace, whatever the file
calls it.
"""

import re
from collections.abc import Sequence
from typing import Final, Protocol
from xml.parsers import expat

from groundwire_readers.containers.xml_tree import NamespacePrefixes
from groundwire_readers.errors import UnreadableDocument
from groundwire_readers.readers.office.alternatives import are_known

_PREFIXES: Final = {
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main": "w",
    "http://purl.oclc.org/ooxml/wordprocessingml/main": "w",
    "http://schemas.openxmlformats.org/officeDocument/2006/math": "m",
    "http://purl.oclc.org/ooxml/officeDocument/math": "m",
    "http://schemas.openxmlformats.org/markup-compatibility/2006": "mc",
    "http://schemas.openxmlformats.org/drawingml/2006/chart": "c",
    "http://purl.oclc.org/ooxml/drawingml/chart": "c",
    "http://schemas.openxmlformats.org/drawingml/2006/diagram": "dgm",
    "http://schemas.openxmlformats.org/drawingml/2006/main": "a",
    "http://purl.oclc.org/ooxml/drawingml/main": "a",
    "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing": "wp",
    "http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing": "wp",
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships": "r",
    "http://purl.oclc.org/ooxml/officeDocument/relationships": "r",
    "http://schemas.microsoft.com/office/word/2010/wordprocessingShape": "wps",
    "http://schemas.microsoft.com/office/word/2010/wordml": "w14",
    "http://schemas.microsoft.com/office/word/2015/wordml/symex": "w16se",
    "http://schemas.microsoft.com/office/drawing/2014/chartex": "cx",
    "urn:schemas-microsoft-com:vml": "v",
    "urn:schemas-microsoft-com:office:office": "o",
}
_FORMER_PROPERTIES: Final = (
    "w:pPrChange",
    "w:rPrChange",
    "w:tblPrChange",
    "w:trPrChange",
    "w:tcPrChange",
    "w:sectPrChange",
)
_DELETED: Final = ("w:del", "w:moveFrom")
_DELETION_FLAGS: Final = ("w:rPr", "w:trPr", "w:tcPr", "m:ctrlPr")
"""Elements in which `w:del` is a flag, not deleted content."""
_ALTERNATIVES: Final = "mc:AlternateContent"
_VERSIONS: Final = ("mc:Choice", "mc:Fallback")
_XML_DECLARATION: Final = re.compile(r"^<\?xml[^>]{0,200}\?>")
_MAX_DEPTH: Final = 1_000
_FALSE_VALUES: Final = ("0", "false", "off")


class OpenElement:
    """Element whose end tag has not been read.

    Attributes:
        tag: prefix and name, such as "w:p".
        attributes: attributes by prefix and name.
        parent: parent element, without elements of alternate content (`mc:AlternateContent`).
        is_hidden: whether the handler of hidden text found that people do not see it, or a text in it.
        is_left_out: whether all of its content is left out, known at its end.
        mark: mark of its text as a run, for the handlers after that of hidden text; empty for ordinary text.
    """

    __slots__ = ("attributes", "is_hidden", "is_left_out", "mark", "parent", "tag")

    def __init__(self, tag: str, attributes: dict[str, str], parent: "OpenElement | None") -> None:
        self.tag = tag
        self.attributes = attributes
        self.parent = parent
        self.is_hidden = False
        self.is_left_out = False
        self.mark = ""

    @property
    def parent_tag(self) -> str:
        """The tag of the parent; empty for the root."""
        return "" if self.parent is None else self.parent.tag

    @property
    def value(self) -> str:
        """The attribute `w:val`; empty without it."""
        return self.attributes.get("w:val", "")

    @property
    def is_on(self) -> bool:
        """The value of a toggle property, which is on unless its attribute turns it off."""
        return self.attributes.get("w:val", "true").lower() not in _FALSE_VALUES


class PartHandler(Protocol):
    """Handler of the elements and texts of a part, in document order."""

    def start(self, element: OpenElement, /) -> None:
        """Handle the start of an element."""
        ...

    def text(self, data: str, element: OpenElement, /) -> None:
        """Handle text within an element."""
        ...

    def end(self, element: OpenElement, /) -> None:
        """Handle the end of an element."""
        ...


def walk_part(part: bytes, handlers: Sequence[PartHandler]) -> None:
    """Pass the elements of a part to all handlers, without tracked deletions and former properties.

    Of alternate content, only the version that Word displays is passed.

    Raises:
        UnreadableDocument: damaged, nested too deeply, or with a document type.
    """
    if part:
        _Walk(_as_utf8(part), handlers).run()


def _as_utf8(part: bytes) -> bytes:
    """Return a part in UTF-16 converted to UTF-8, whatever encoding it declares."""
    if not part.startswith((b"\xff\xfe", b"\xfe\xff")):
        return part
    # The declaration would still name UTF-16.
    return _XML_DECLARATION.sub("", part.decode("utf-16", "replace")).encode(errors="replace")


class _Walk:
    def __init__(self, part: bytes, handlers: Sequence[PartHandler]) -> None:
        self._part = part
        self._starts = [handler.start for handler in handlers]
        self._texts = [handler.text for handler in handlers]
        self._ends = [handler.end for handler in handlers]
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.namespace_prefixes = True
        self._parser.buffer_text = True
        self._prefixes = NamespacePrefixes(self._parser)
        self._names: dict[str, str] = {}
        self._ignored: set[str] = set()
        self._current: OpenElement | None = None
        self._depth = 0
        self._alternatives: list[bool] = []
        self._removed_at = 0

    def run(self) -> None:
        parser = self._parser
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.StartDoctypeDeclHandler = _refuse_document_type
        try:
            parser.Parse(self._part, True)
        except expat.ExpatError as error:
            raise UnreadableDocument("its XML is damaged: open it in its own program and save it anew") from error

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._removed_at:
            return
        if self._depth > _MAX_DEPTH:
            raise UnreadableDocument("it is nested too deeply")
        name = self._name
        named = {name(key): value for key, value in attributes.items()} if attributes else attributes
        element = OpenElement(name(tag), named, self._current)
        if self._is_removed(element) or (self._ignored and tag.partition(" ")[0] in self._ignored):
            self._removed_at = self._depth
        elif element.tag == _ALTERNATIVES:
            self._alternatives.append(False)
        elif element.tag not in _VERSIONS:
            if "mc:Ignorable" in named:
                self._ignored |= {
                    namespace
                    for namespace in self._prefixes.namespaces(named["mc:Ignorable"]).split()
                    if not are_known(namespace)
                }
            self._current = element
            for start in self._starts:
                start(element)

    def _is_removed(self, element: OpenElement) -> bool:
        """Return whether Word does not display the element: former properties, deleted text, another version."""
        if element.tag in _DELETED:
            return element.parent_tag not in _DELETION_FLAGS
        return element.tag in _FORMER_PROPERTIES or (element.tag in _VERSIONS and not self._is_shown(element))

    def _is_shown(self, version: OpenElement) -> bool:
        """Return whether Word displays this version: the first whose namespaces it understands."""
        if not self._alternatives:
            return True
        is_understood = version.tag != _VERSIONS[0] or are_known(
            self._prefixes.namespaces(version.attributes.get("Requires", ""))
        )
        is_shown = is_understood and not self._alternatives[-1]
        self._alternatives[-1] |= is_shown
        return is_shown

    def _text(self, data: str) -> None:
        if not self._removed_at and self._current is not None:
            for text in self._texts:
                text(data, self._current)

    def _end(self, tag: str) -> None:
        if self._removed_at:
            self._removed_at = 0 if self._depth == self._removed_at else self._removed_at
        elif self._name(tag) == _ALTERNATIVES:
            self._alternatives.pop()
        elif self._current is not None and self._name(tag) not in _VERSIONS:
            element = self._current
            for end in self._ends:
                end(element)
            self._current = element.parent
        self._depth -= 1

    def _name(self, name: str) -> str:
        usual = self._names.get(name)
        if usual is None:
            usual = self._names[name] = _usual_name(name)
        return usual


def _usual_name(name: str) -> str:
    """Return the name with its usual prefix, from expat's "namespace name prefix", "namespace name" or "name"."""
    parts = name.split(" ")
    if len(parts) == 1:
        return name
    namespace, local = parts[0], parts[1]
    prefix = _PREFIXES.get(namespace) or (parts[2] if len(parts) > 2 else "")  # noqa: PLR2004
    return f"{prefix}:{local}" if prefix else local


def _refuse_document_type(*_: object) -> None:
    raise UnreadableDocument("its XML declares a document type, which no office program writes")
