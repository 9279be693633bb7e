"""Images of HTML pages and EPUB books: those in `data:` addresses and in the book; others are never fetched."""

import base64
import binascii
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final
from urllib.parse import unquote_to_bytes

from groundwire_readers.containers.zip_package import open_package, read_entry
from groundwire_readers.images.flow import Candidate, Caption, FlowImage, FlowItem, candidates_of_flow
from groundwire_readers.images.texts import join_texts
from groundwire_readers.readers.epub import chapter_parts, package_path, read_tree, resolve_reference
from groundwire_readers.readers.html.css.style_sheets import HtmlAttributes, PageStyles, page_styles
from groundwire_readers.readers.html.layout_tables import with_layout_as_blocks
from groundwire_readers.readers.html.page_parser import PageReader
from groundwire_readers.readers.html.page_reader import decode_page

Resolver = Callable[[str], Callable[[], bytes] | None]
"""Function from an image's address to one that returns its file; None where the document does not hold it."""
_DATA: Final = "data:"


def find_images(content: bytes) -> Iterator[Candidate]:
    """Yield the images of a page in `data:` addresses."""
    yield from candidates_of_flow(flow_of_page(decode_page(content), resolve_data_address))


def find_book_images(content: bytes) -> Iterator[Candidate]:
    """Yield the images of the chapters that an EPUB book's text is read from.

    Raises:
        UnreadableDocument: damaged, or more than is safe to unpack.
    """
    with open_package(content) as package:
        path = package_path(package)
        names = set(package.namelist())
        flow: list[FlowItem] = []
        for chapter, part in chapter_parts(package, read_tree(package, path), path):
            page = decode_page(part or b"")
            flow += flow_of_page(page, partial(_resolve_in_book, package, names, chapter), is_xml=True)
        yield from candidates_of_flow(flow)


def flow_of_page(page: str, resolve: Resolver, *, is_xml: bool = False) -> list[FlowItem]:
    """Return the page's blocks, captions and visible images, in order; pages of a book are XML."""
    reader = _FlowReader(page_styles(page), resolve, is_xml=is_xml)
    reader.feed(with_layout_as_blocks(page))
    reader.close()
    return reader.flow()


def resolve_data_address(address: str) -> Callable[[], bytes] | None:
    """Return a function that decodes the `data:` address of an image; None for other addresses."""
    text = address.strip()
    if text[: len(_DATA)].lower() != _DATA or "," not in text:
        return None
    return lambda: decode_data_address(text)


def decode_data_address(address: str) -> bytes:
    """Return the content of a `data:` address; its undecoded text where it is malformed."""
    declaration, _, payload = address.partition(",")
    content = unquote_to_bytes(payload)
    if not declaration.rstrip().lower().endswith(";base64"):
        return content
    try:
        return base64.b64decode(content)
    except binascii.Error:
        return content


def _resolve_in_book(
    package: zipfile.ZipFile, names: set[str], chapter: str, address: str
) -> Callable[[], bytes] | None:
    if (load := resolve_data_address(address)) is not None:
        return load
    path = resolve_reference(chapter, address)
    return partial(read_entry, package, path) if path in names else None


class _FlowReader(PageReader):
    """Reader that remembers images and captions by the number of blocks before them."""

    def __init__(self, styles: PageStyles, resolve: Resolver, *, is_xml: bool) -> None:
        super().__init__(styles, is_xml=is_xml)
        self._resolve = resolve
        self._images: list[tuple[int, FlowImage]] = []
        self._captions: dict[int, int] = {}
        self._caption_start: int | None = None

    def flow(self) -> list[FlowItem]:
        """Return the page's items in order; elements that are still open end here."""
        blocks = self.finish()
        items: list[FlowItem] = []
        index = 0
        images = iter([*self._images, None])
        image = next(images)
        while index <= len(blocks):
            while image is not None and image[0] <= index:
                items.append(image[1])
                image = next(images)
            end = self._captions.get(index, index)
            if end > index:
                items.append(Caption(" ".join(block.text for block in blocks[index:end])))
            elif index < len(blocks):
                items.append(blocks[index])
            index = max(end, index + 1)
        return items

    def handle_starttag(self, tag: str, attrs: HtmlAttributes) -> None:
        """Handle a start tag; part of HTMLParser."""
        super().handle_starttag(tag, attrs)
        # Of several attributes of one name, browsers take the first.
        elements, attributes = self._elements, dict(reversed(attrs))
        if tag == "img" and not elements.is_hidden and not elements.hides(tag, attributes):
            self._add_image({name: value or "" for name, value in attributes.items()})
        elif tag == "figcaption" and not elements.is_hidden:
            self._caption_start = len(self._blocks)

    def handle_endtag(self, tag: str) -> None:
        """Handle an end tag; part of HTMLParser."""
        super().handle_endtag(tag)
        if tag == "figcaption" and self._caption_start is not None:
            self._captions[self._caption_start] = len(self._blocks)
            self._caption_start = None

    def _add_image(self, values: dict[str, str]) -> None:
        load = self._resolve(values.get("src", ""))
        if load is not None:
            text = join_texts(values.get("alt", ""), values.get("title", ""), values.get("aria-label", ""))
            self._images.append((len(self._blocks), FlowImage(load, text)))
