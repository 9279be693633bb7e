"""Access to a Word package: its text parts, its page colour, and copies with replaced parts."""

import posixpath
import re
import zipfile
from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import Final

from groundwire_readers.containers.zip_package import open_package, read_entry
from groundwire_readers.readers.office.package_parts import main_part, relationships
from groundwire_readers.readers.visibility import WHITE, Colour, colour_of
from groundwire_readers.readers.word.appearance import UNKNOWN
from groundwire_readers.readers.word.editors.hidden_text import HiddenText
from groundwire_readers.readers.word.part_editing import edit_part
from groundwire_readers.readers.word.styles import WordStyles

STYLES: Final = "word/styles.xml"
_TEXT_PART: Final = re.compile(r"word/(?:document|footnotes|endnotes)\d{0,4}\.xml")
_FOLDER: Final = "word"
_DOCUMENT: Final = "word/document.xml"
_ROOT_RELATIONS: Final = "_rels/.rels"
_CONTENT_TYPES: Final = "[Content_Types].xml"
_READ_BY_THE_LIBRARY: Final = (".xml", ".rels")
_SETTINGS: Final = "word/settings.xml"
_DISPLAY_COLOUR_SETTING: Final = b"displayBackgroundShape"
_HEADER_REFERENCE: Final = re.compile(rb"<w:(?:header|footer)Reference\b([^<>]{0,400})>")
_ATTRIBUTE: Final = re.compile(rb"\w{1,10}:(id|type)\s{0,9}=\s{0,9}[\"']([^\"']{1,40})[\"']")
_PAGE_COLOUR: Final = re.compile(rb"<w:background\b[^>]{0,400}?w:color=\"([^\"]{1,20})\"")


def open_word_package(content: bytes) -> zipfile.ZipFile:
    """Open a Word file, with its main part renamed to the usual name, which some programs do not use.

    Raises:
        UnreadableDocument: damaged, encrypted, or more than is safe to unpack.
    """
    package = open_package(content)
    name = main_part(package)
    if name == _DOCUMENT or posixpath.dirname(name) != _FOLDER or name not in package.namelist():
        return package
    with package:
        return zipfile.ZipFile(BytesIO(_renamed(package, name)))


def _renamed(package: zipfile.ZipFile, name: str) -> bytes:
    """Return the package with the part of this name renamed to `word/document.xml`, references included."""
    base, new_base = name.removeprefix("word/"), _DOCUMENT.removeprefix("word/")
    renamed = {name: _DOCUMENT, f"word/_rels/{base}.rels": f"word/_rels/{new_base}.rels"}
    target = BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as written:
        for entry in dict.fromkeys(package.namelist()):
            if entry in renamed.values():
                continue
            data = read_entry(package, entry)
            if entry in (_ROOT_RELATIONS, _CONTENT_TYPES):
                data = data.replace(name.encode(), _DOCUMENT.encode())
            written.writestr(renamed.get(entry, entry), data)
    return target.getvalue()


def text_parts(package: zipfile.ZipFile) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the XML of each part with text: the document, its footnotes and its endnotes."""
    for name in sorted({name for name in package.namelist() if _TEXT_PART.fullmatch(name)}):
        yield name, read_entry(package, name)


def page_headers(package: zipfile.ZipFile) -> Iterator[bytes]:
    """Yield the XML of the page headers and footers that Word shows, each once.

    Those of the first page and of even pages count only where the document has such pages.
    """
    document, parts = read_entry(package, _DOCUMENT), relationships(package, _DOCUMENT)
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
    match = _PAGE_COLOUR.search(read_entry(package, _DOCUMENT))
    # Word displays the page colour only if the settings contain this element.
    if match is None or _DISPLAY_COLOUR_SETTING not in read_entry(package, _SETTINGS):
        return WHITE
    return colour_of(match[1].decode("ascii", "replace")) or UNKNOWN


def with_parts(package: zipfile.ZipFile, parts: Mapping[str, bytes]) -> bytes:
    """Return the package with these parts replaced, and with images emptied.

    Images are extracted from the original file, so that a damaged one does not prevent reading the text.
    """
    target = BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as written:
        for name in dict.fromkeys(package.namelist()):
            kept = read_entry(package, name) if name.endswith(_READ_BY_THE_LIBRARY) else b""
            written.writestr(name, parts.get(name, kept))
    return target.getvalue()


def visible_document(package: zipfile.ZipFile) -> bytes:
    """Return the XML of the main part without tracked deletions and invisible text.

    Raises:
        UnreadableDocument: damaged, or nested too deeply.
    """
    styles = WordStyles(read_entry(package, STYLES))
    return edit_part(read_entry(package, _DOCUMENT), [HiddenText(styles, page_colour(package))])
