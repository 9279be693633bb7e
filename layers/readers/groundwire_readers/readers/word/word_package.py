"""Access to a Word package: its text parts, its page headers and its page colour."""

import re
import zipfile
from collections.abc import Iterator
from typing import Final

from groundwire_readers.containers.zip_package import read_entry
from groundwire_readers.readers.office.package_parts import main_part, relationships
from groundwire_readers.readers.visibility import WHITE, Colour, colour_of
from groundwire_readers.readers.word.appearance import UNKNOWN

_DOCUMENT: Final = "word/document.xml"
_NOTES: Final = {"footnotes": "word/footnotes.xml", "endnotes": "word/endnotes.xml"}
"""Kinds of the parts with notes, and their usual names."""
_SETTINGS: Final = "word/settings.xml"
_DISPLAY_COLOUR_SETTING: Final = b"displayBackgroundShape"
_HEADER_REFERENCE: Final = re.compile(rb"<w:(?:header|footer)Reference\b([^<>]{0,400})>")
_ATTRIBUTE: Final = re.compile(rb"\w{1,10}:(id|type)\s{0,9}=\s{0,9}[\"']([^\"']{1,40})[\"']")
_PAGE_COLOUR: Final = re.compile(rb"<w:background\b[^>]{0,400}?w:color=\"([^\"]{1,20})\"")


def main_document(package: zipfile.ZipFile) -> str:
    """Return the name of the main part, which some programs choose freely."""
    name = main_part(package)
    return name if name in package.NameToInfo else _DOCUMENT


def text_parts(package: zipfile.ZipFile) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the XML of each part with text: the document, its footnotes and its endnotes."""
    document = main_document(package)
    yield document, read_entry(package, document)
    targets = {one.kind: one.target for one in relationships(package, document).values() if not one.is_external}
    for kind, usual in _NOTES.items():
        name = targets.get(kind, usual)
        yield name, read_entry(package, name)


def page_headers(package: zipfile.ZipFile) -> Iterator[bytes]:
    """Yield the XML of the page headers and footers that Word shows, each once.

    Those of the first page and of even pages count only where the document has such pages.
    """
    name = main_document(package)
    document, parts = read_entry(package, name), relationships(package, name)
    shown = {b"default": True, b"first": b"<w:titlePg" in document}
    shown[b"even"] = b"<w:evenAndOddHeaders" in read_entry(package, _SETTINGS)
    seen: set[str] = set()
    for reference in _HEADER_REFERENCE.finditer(document):
        attributes = dict(_ATTRIBUTE.findall(reference[1]))
        part = parts.get(attributes.get(b"id", b"").decode("ascii", "replace"))
        if part is not None and shown.get(attributes.get(b"type", b"default")) and part.target not in seen:
            seen.add(part.target)
            yield read_entry(package, part.target)


def page_colour(package: zipfile.ZipFile) -> Colour:
    """Return the colour of the pages; UNKNOWN if it is no single colour."""
    match = _PAGE_COLOUR.search(read_entry(package, main_document(package)))
    # Word displays the page colour only if the settings contain this element.
    if match is None or _DISPLAY_COLOUR_SETTING not in read_entry(package, _SETTINGS):
        return WHITE
    return colour_of(match[1].decode("ascii", "replace")) or UNKNOWN
