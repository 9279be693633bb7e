"""Streaming (SAX) reading of Office XML."""

from collections.abc import Callable
from xml.parsers import expat

from groundwire_readers.containers.xml_tree import office_name, office_names
from groundwire_readers.errors import UnreadableDocument


def read_xml(
    part: bytes,
    start: Callable[[str, dict[str, str]], None],
    end: Callable[[str], None],
    text: Callable[[str], None] | None = None,
) -> None:
    """Call `start` and `end` for every element, named "namespace name" (see `office_name`).

    Args:
        part: the XML document.
        start: is called with name and attributes of an element.
        end: is called with the name of an element.
        text: is called with characters within an element.

    Raises:
        UnreadableDocument: damaged, or with a document type, which could declare entities.
    """
    parser = expat.ParserCreate(namespace_separator=" ")
    # Without a buffer, expat calls the handler once for each line of a text.
    parser.buffer_text = True
    if text is not None:
        parser.CharacterDataHandler = text
    parser.StartElementHandler = lambda tag, attributes: start(office_name(tag), office_names(attributes))
    parser.EndElementHandler = lambda tag: end(office_name(tag))
    parser.StartDoctypeDeclHandler = _refuse_document_type
    try:
        parser.Parse(part, True)
    except expat.ExpatError as error:
        raise UnreadableDocument("its XML is damaged: open it in its own program and save it anew") from error


def _refuse_document_type(*_: object) -> None:
    raise UnreadableDocument("its XML declares a document type, which no office program writes")
