"""Streaming (SAX) reading of Office XML, and removal of byte ranges without serialising the document again."""

from collections.abc import Callable, Iterable
from typing import Protocol
from xml.parsers import expat

from groundwire_readers.containers.xml_tree import office_name, office_names
from groundwire_readers.errors import UnreadableDocument


class HiddenRangeFinder(Protocol):
    """Handler of XML events that collects the byte ranges to remove.

    Attributes:
        ranges: start and end (exclusive) of each range, in order.
    """

    ranges: list[tuple[int, int]]

    def start(self, tag: str, attributes: dict[str, str], /) -> None:
        """Handle the start of an element."""
        ...

    def end(self, tag: str, /) -> None:
        """Handle the end of an element."""
        ...


def read_xml(
    part: bytes,
    start: Callable[[str, dict[str, str]], None],
    end: Callable[[str], None],
    parser: expat.XMLParserType | None = None,
) -> None:
    """Call `start` and `end` for every element, named "namespace name" (see `office_name`).

    Args:
        part: the XML document.
        start: is called with name and attributes of an element.
        end: is called with the name of an element.
        parser: parser to use, if the handlers need its position; it must separate namespace and name by a space.

    Raises:
        UnreadableDocument: damaged, or with a document type, which could declare entities.
    """
    parser = parser or expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = lambda tag, attributes: start(office_name(tag), office_names(attributes))
    parser.EndElementHandler = lambda tag: end(office_name(tag))
    parser.StartDoctypeDeclHandler = _refuse_document_type
    try:
        parser.Parse(part, True)
    except expat.ExpatError as error:
        raise UnreadableDocument("its XML is damaged: open it in its own program and save it anew") from error


def remove_hidden_ranges(part: bytes, finder_of: Callable[[expat.XMLParserType, bytes], HiddenRangeFinder]) -> bytes:
    """Return the part without the byte ranges that the finder collects; all other bytes are unchanged.

    Raises:
        UnreadableDocument: see `read_xml`.
    """
    parser = expat.ParserCreate(namespace_separator=" ")
    finder = finder_of(parser, part)
    read_xml(part, finder.start, finder.end, parser)
    return without_ranges(part, finder.ranges)


def without_ranges(part: bytes, ranges: Iterable[tuple[int, int]]) -> bytes:
    """Return the part without the byte ranges: start and end (exclusive) of each, in order."""
    kept: list[bytes] = []
    position = 0
    for first, end in ranges:
        kept.append(part[position:first])
        position = end
    return b"".join([*kept, part[position:]])


def _refuse_document_type(*_: object) -> None:
    raise UnreadableDocument("its XML declares a document type, which no office program writes")
