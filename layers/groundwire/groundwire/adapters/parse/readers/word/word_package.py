"""Parts of a Word file that hold its text, and a file with other contents of its parts."""

import re
import zipfile
from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import Final

from groundwire.adapters.parse.containers.zip_package import open_package, read_entry
from groundwire.adapters.parse.readers.visibility import WHITE, Colour, colour_of
from groundwire.adapters.parse.readers.word.appearance import UNKNOWN
from groundwire.adapters.parse.readers.word.hidden.hidden_text import HiddenText
from groundwire.adapters.parse.readers.word.part_editing import edit_part
from groundwire.adapters.parse.readers.word.styles import WordStyles

STYLES: Final = "word/styles.xml"
_TEXT_PART: Final = re.compile(r"word/(?:document|footnotes|endnotes)\d{0,4}\.xml")
_DOCUMENT: Final = "word/document.xml"
_SETTINGS: Final = "word/settings.xml"
_SHOWN_COLOUR: Final = b"displayBackgroundShape"
_PAGE_COLOUR: Final = re.compile(rb"<w:background\b[^>]{0,400}?w:color=\"([^\"]{1,20})\"")


def text_parts(package: zipfile.ZipFile) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the XML of each part with text: the document, its footnotes and its endnotes."""
    for name in sorted({name for name in package.namelist() if _TEXT_PART.fullmatch(name)}):
        yield name, read_entry(package, name)


def page_colour(package: zipfile.ZipFile) -> Colour:
    """Return the colour of the pages; UNKNOWN for one that is no plain colour."""
    found = _PAGE_COLOUR.search(read_entry(package, _DOCUMENT))
    if found is None or _SHOWN_COLOUR not in read_entry(package, _SETTINGS):
        return WHITE
    return colour_of(found[1].decode("ascii", "replace")) or UNKNOWN


def with_parts(package: zipfile.ZipFile, parts: Mapping[str, bytes]) -> bytes:
    """Return the package with these parts instead of its own of the same names."""
    target = BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as written:
        for name in dict.fromkeys(package.namelist()):
            written.writestr(name, parts[name] if name in parts else read_entry(package, name))
    return target.getvalue()


def without_hidden_text(content: bytes) -> bytes:
    """Return the Word file without deleted text, and without text that a person does not see.

    Raises:
        DocumentRefused: damaged, encrypted, or more than is safe to unpack.
    """
    with open_package(content) as package:
        styles, colour = WordStyles(read_entry(package, STYLES)), page_colour(package)
        parts = {name: edit_part(part, [HiddenText(styles, colour)]) for name, part in text_parts(package)}
        return with_parts(package, parts)
