"""Reader of EPUB books: the chapters in the order of the book's spine, each read as an HTML page."""

import posixpath
import zipfile
from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from groundwire.adapters.parse.containers.xml_tree import parse_xml
from groundwire.adapters.parse.containers.zip_package import open_package, read_entry
from groundwire.adapters.parse.contents import Contents
from groundwire.adapters.parse.readers.html import page_reader
from groundwire.domain.documents.parsed import ReadingDefect
from groundwire.domain.errors import DocumentRefused

_CONTAINER: Final = "META-INF/container.xml"
_RIGHTS: Final = "META-INF/rights.xml"
_ROOT_FILE: Final = "urn:oasis:names:tc:opendocument:xmlns:container rootfile"
_OPF: Final = "http://www.idpf.org/2007/opf"
_CORE: Final = "http://purl.org/dc/elements/1.1/"
_CHAPTERS: Final = ("application/xhtml+xml", "text/html")
_NO_TEXT: Final = ("toc", "cover")
_PROPERTIES: Final = {"author": "creator", "publisher": "publisher", "created": "date", "subject": "subject"}


def read(content: bytes) -> Contents:
    """Return the book's blocks, without its cover, its table of contents and files that its spine does not list.

    Raises:
        DocumentRefused: damaged, protected, or more than is safe to unpack.
    """
    with open_package(content) as package:
        if _RIGHTS in package.namelist():
            raise DocumentRefused("it is protected against copying: only an unprotected copy can be read")
        path = package_path(package)
        book = read_tree(package, path)
        chapters = [
            page_reader.parse_html(read_entry(package, each), is_xml=True) for each in chapter_paths(book, path)
        ]
    properties = {field: text for field, name in _PROPERTIES.items() if (text := _metadata_text(book, name))}
    blocks = [block for chapter in chapters for block in chapter.blocks]
    hidden = {ReadingDefect.HIDDEN_TEXT: sum(chapter.has_hidden_text for chapter in chapters)}
    return Contents(blocks, _metadata_text(book, "title") or None, properties=properties, defects=hidden)


def package_path(package: zipfile.ZipFile) -> str:
    """Return the path of the file that lists the chapters."""
    root = next(read_tree(package, _CONTAINER).iter(_ROOT_FILE), None)
    return "" if root is None else root.get("full-path", "")


def read_tree(package: zipfile.ZipFile, path: str) -> Element:
    """Return the XML of a part of the book, which may have a document type."""
    return parse_xml(read_entry(package, path), may_have_doctype=True)


def chapter_paths(book: Element, path: str) -> Iterator[str]:
    """Yield the paths of the chapters in the package, each once: a spine could repeat one chapter without end."""
    items = {item.get("id", ""): item for item in book.iter(f"{_OPF} item")}
    skipped = {
        resolve_reference(path, one.get("href", ""))
        for one in book.iter(f"{_OPF} reference")
        if one.get("type") in _NO_TEXT
    }
    for reference in book.iter(f"{_OPF} itemref"):
        item = items.get(reference.get("idref", ""))
        if item is None or item.get("media-type") not in _CHAPTERS or "nav" in item.get("properties", "").split():
            continue
        chapter = resolve_reference(path, item.get("href", ""))
        if chapter not in skipped:
            skipped.add(chapter)
            yield chapter


def resolve_reference(path: str, reference: str) -> str:
    """Return the package path of a reference in the file at `path`."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), unquote(reference.partition("#")[0])))


def _metadata_text(book: Element, name: str) -> str:
    texts = ["".join(element.itertext()).strip() for element in book.iter(f"{_CORE} {name}")]
    return texts[0] if name in ("title", "date") and texts else ", ".join(filter(None, texts))
