"""Parts of a Word file that hold its text, and a file with other contents of its parts."""

import posixpath
import re
import zipfile
from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import Final

from groundwire_readers.containers.zip_package import open_package, read_entry
from groundwire_readers.readers.office.package_parts import main_part
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
_SHOWN_COLOUR: Final = b"displayBackgroundShape"
_PAGE_COLOUR: Final = re.compile(rb"<w:background\b[^>]{0,400}?w:color=\"([^\"]{1,20})\"")


def open_word_package(content: bytes) -> zipfile.ZipFile:
    """Open a Word file, its document under the usual name: some programs call the part otherwise.

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
    """Return the package with the part of this name, and what refers to it, as `word/document.xml`."""
    base, usual = name.removeprefix("word/"), _DOCUMENT.removeprefix("word/")
    renamed = {name: _DOCUMENT, f"word/_rels/{base}.rels": f"word/_rels/{usual}.rels"}
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


def page_colour(package: zipfile.ZipFile) -> Colour:
    """Return the colour of the pages; UNKNOWN for one that is no plain colour."""
    found = _PAGE_COLOUR.search(read_entry(package, _DOCUMENT))
    # Word keeps the colour of a page in the file and shows it only if its settings say so.
    if found is None or _SHOWN_COLOUR not in read_entry(package, _SETTINGS):
        return WHITE
    return colour_of(found[1].decode("ascii", "replace")) or UNKNOWN


def with_parts(package: zipfile.ZipFile, parts: Mapping[str, bytes]) -> bytes:
    """Return the package with these parts instead of its own of the same names, and without the bytes of pictures.

    Pictures are read from the file itself, so that a damaged one leaves the text.
    """
    target = BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as written:
        for name in dict.fromkeys(package.namelist()):
            kept = read_entry(package, name) if name.endswith(_READ_BY_THE_LIBRARY) else b""
            written.writestr(name, parts.get(name, kept))
    return target.getvalue()


def visible_document(package: zipfile.ZipFile) -> bytes:
    """Return the XML of the document without deleted text, and without text that a person does not see.

    Raises:
        UnreadableDocument: damaged, or nested too deeply.
    """
    styles = WordStyles(read_entry(package, STYLES))
    return edit_part(read_entry(package, _DOCUMENT), [HiddenText(styles, page_colour(package))])
