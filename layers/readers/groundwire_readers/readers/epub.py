"""Reader of EPUB books: the chapters in the order of the book's spine, each read as an HTML page."""

import posixpath
import re
import zipfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from groundwire_readers.containers.xml_tree import parse_xml
from groundwire_readers.containers.zip_package import open_package, read_entry
from groundwire_readers.contents.contents import Contents
from groundwire_readers.contents.heading_levels import MAX_LEVEL
from groundwire_readers.contents.parsed import Block, BlockKind, ReadingDefect
from groundwire_readers.errors import UnreadableDocument
from groundwire_readers.readers.html import page_reader
from groundwire_readers.readers.xml.inline_text import attribute, child_of, name_of, text_of

_CONTAINER: Final = "META-INF/container.xml"
# Not `encryption.xml`, which unprotected books have for their fonts.
_RIGHTS: Final = "META-INF/rights.xml"
_ROOT_FILE: Final = "urn:oasis:names:tc:opendocument:xmlns:container rootfile"
_OPF: Final = "http://www.idpf.org/2007/opf"
_DUBLIN_CORE: Final = "http://purl.org/dc/elements/1.1/"
_CHAPTER_MEDIA_TYPES: Final = ("application/xhtml+xml", "text/html")
_NCX: Final = "application/x-dtbncx+xml"
_TITLE_NUMBER: Final = re.compile(
    r"\A(?:(?:chapter|part|section|appendix|kapitel|chapitre)\s+)?(?:[\divxlc]{1,8}\b[.:)]?)*+\s*"
)
"""Number before a title, with an optional word such as "chapter"."""
_LINK: Final = re.compile(rb"<link\b[^<>]{0,2000}>", re.IGNORECASE)
_SHEET: Final = re.compile(rb"\brel\s*=\s*[\"']?(?:stylesheet\b|text/css)", re.IGNORECASE)
_ADDRESS: Final = re.compile(rb"\bhref\s*=\s*[\"']([^\"'<>]{1,1000})[\"']", re.IGNORECASE)
_MAX_SHEETS: Final = 8
_MAX_SHEET_BYTES: Final = 200_000
_SKIPPED_GUIDE_TYPES: Final = ("toc", "cover")
_PROPERTY_ELEMENTS: Final = {"author": "creator", "publisher": "publisher", "created": "date", "subject": "subject"}


def read(content: bytes) -> Contents:
    """Return the book's blocks, without its cover, its table of contents and files that its spine does not list.

    Raises:
        UnreadableDocument: damaged, protected, or more than is safe to unpack.
    """
    with open_package(content) as package:
        if _RIGHTS in package.namelist():
            raise UnreadableDocument("it is protected against copying: only an unprotected copy can be read")
        path = package_path(package)
        book = read_tree(package, path)
        contents = _contents(package, book, path)
        parts = list(chapter_parts(package, book, path))
    chapters = [
        (name, page_reader.parse_html(part, is_xml=True, finds_headings=True))
        for name, part in parts
        if part is not None
    ]
    if parts and not chapters:
        raise UnreadableDocument("it is damaged: none of its chapters can be read")
    properties = {field: text for field, name in _PROPERTY_ELEMENTS.items() if (text := _metadata_text(book, name))}
    blocks = [block for name, page in chapters for block in _with_contents_levels(page.blocks, contents.get(name, {}))]
    defects = {
        ReadingDefect.HIDDEN_TEXT: sum(page.has_hidden_text for _, page in chapters),
        ReadingDefect.DAMAGED_PARTS: len(parts) - len(chapters),
    }
    return Contents(blocks, _metadata_text(book, "title") or None, properties=properties, defects=defects)


def _contents(package: zipfile.ZipFile, book: Element, path: str) -> Mapping[str, Mapping[str, int]]:
    """Return the depth of each title in the table of contents, by chapter; empty if it is flat or damaged.

    Chapter files often use one heading level for chapters and for their sections, so the depth corrects the levels.
    """
    items = list(book.iter(f"{_OPF} item"))
    # The table of EPUB 3 first; many books keep that of EPUB 2 for older programs.
    toc_items = [item for item in items if "nav" in item.get("properties", "").split()]
    toc_items += [item for item in items if item.get("media-type") == _NCX]
    for item in toc_items:
        name = resolve_reference(path, item.get("href", ""))
        try:
            entries = list(_entries(read_tree(package, name), 0))
        except (UnreadableDocument, KeyError):
            continue
        depths: defaultdict[str, dict[str, int]] = defaultdict(dict)
        for depth, title, address in entries:
            depths[resolve_reference(name, address)].setdefault(title, depth)
        if len({depth for depth, _, _ in entries}) > 1:
            return depths
    return {}


def _entries(element: Element, depth: int) -> Iterator[tuple[int, str, str]]:
    """Yield depth, title and address of the entries in a table of contents, of EPUB 3 or of EPUB 2."""
    for child in element:
        name = name_of(child)
        if name == "a" and depth:
            yield depth, _title_key(text_of(child)), child.get("href", "")
        elif name == "navpoint" and depth < MAX_LEVEL:
            label, content = child_of(child, "navlabel"), child_of(child, "content")
            yield depth + 1, _title_key(text_of(label)), "" if content is None else content.get("src", "")
            yield from _entries(child, depth + 1)
        elif name not in ("navpoint", "li") or depth < MAX_LEVEL:
            yield from () if name == "nav" and _is_other_list(child) else _entries(child, depth + (name == "li"))


def _is_other_list(nav: Element) -> bool:
    kind = attribute(nav, "type")
    return kind not in ("", "toc")


def _title_key(title: str) -> str:
    """Return the comparison key of a title: case folded, without the number before it."""
    return _TITLE_NUMBER.sub("", title.casefold()).strip()


def _with_contents_levels(blocks: Sequence[Block], depths: Mapping[str, int]) -> Iterator[Block]:
    """Yield the blocks with heading levels of the table of contents; unlisted headings keep their relative level."""
    shift = 0
    for block in blocks:
        if block.kind is not BlockKind.HEADING:
            yield block
            continue
        if (depth := depths.get(_title_key(block.text))) is not None:
            shift = depth - block.level
        yield replace(block, level=min(max(block.level + shift, 1), MAX_LEVEL))


def package_path(package: zipfile.ZipFile) -> str:
    """Return the path of the package document (OPF), which lists the chapters."""
    root = next(read_tree(package, _CONTAINER).iter(_ROOT_FILE), None)
    return "" if root is None else root.get("full-path", "")


def read_tree(package: zipfile.ZipFile, path: str) -> Element:
    """Return the XML of a part of the book, which may have a document type."""
    return parse_xml(read_entry(package, path), may_have_doctype=True)


def chapter_parts(package: zipfile.ZipFile, book: Element, path: str) -> Iterator[tuple[str, bytes | None]]:
    """Yield path and bytes of the chapters in spine order; None for the bytes of a missing or damaged chapter."""
    names = set(package.namelist())
    sheets: dict[str, bytes] = {}
    for chapter in _chapter_paths(book, path):
        try:
            part = read_entry(package, chapter) if chapter in names else None
        except UnreadableDocument:
            part = None
        yield chapter, None if part is None else _with_style_sheets(package, chapter, part, sheets)


def _with_style_sheets(package: zipfile.ZipFile, chapter: str, part: bytes, sheets: dict[str, bytes]) -> bytes:
    """Return a chapter with the style sheets of the book that it links in place of the links."""

    def sheet(link: re.Match[bytes]) -> bytes:
        address = _ADDRESS.search(link[0])
        if _SHEET.search(link[0]) is None or address is None:
            return link[0]
        name = resolve_reference(chapter, address[1].decode(errors="replace"))
        if name not in sheets:
            try:
                # The sign would end the element.
                sheets[name] = read_entry(package, name)[:_MAX_SHEET_BYTES].replace(b"<", b" ")
            except UnreadableDocument:
                sheets[name] = b""
        return b"<style>%b</style>" % sheets[name] if sheets[name] else link[0]

    return _LINK.sub(sheet, part, count=_MAX_SHEETS)


def _chapter_paths(book: Element, path: str) -> Iterator[str]:
    """Yield the paths of the chapters in spine order, each once: a hostile spine repeats one chapter many times."""
    items = {item.get("id", ""): item for item in book.iter(f"{_OPF} item")}
    skipped = {
        resolve_reference(path, reference_element.get("href", ""))
        for reference_element in book.iter(f"{_OPF} reference")
        if reference_element.get("type") in _SKIPPED_GUIDE_TYPES
        and "#" not in reference_element.get("href", "")  # else a part of a chapter
    }
    for reference in book.iter(f"{_OPF} itemref"):
        item = items.get(reference.get("idref", ""))
        if (
            item is None
            or item.get("media-type") not in _CHAPTER_MEDIA_TYPES
            or "nav" in item.get("properties", "").split()
        ):
            continue
        chapter = resolve_reference(path, item.get("href", ""))
        if chapter not in skipped:
            skipped.add(chapter)
            yield chapter


def resolve_reference(path: str, reference: str) -> str:
    """Return the package path of a reference in the file at `path`."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), unquote(reference.partition("#")[0])))


def _metadata_text(book: Element, name: str) -> str:
    texts = ["".join(element.itertext()).strip() for element in book.iter(f"{_DUBLIN_CORE} {name}")]
    return texts[0] if name in ("title", "date") and texts else ", ".join(filter(None, texts))
