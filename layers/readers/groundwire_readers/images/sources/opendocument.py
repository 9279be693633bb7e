"""Images of OpenDocument files: frames in texts, on sheets and on slides, with their titles and descriptions."""

import base64
import binascii
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final
from xml.etree.ElementTree import Element

from groundwire_readers.containers.xml_tree import parse_xml
from groundwire_readers.containers.zip_package import open_package, read_entry
from groundwire_readers.images.flow import Candidate, FlowImage, FlowItem, candidates_of_flow, candidates_of_page
from groundwire_readers.images.texts import join_texts
from groundwire_readers.readers.opendocument.document_reader import sheet_blocks, sheet_tables, slide_blocks
from groundwire_readers.readers.opendocument.hidden_text import Looks
from groundwire_readers.readers.opendocument.styled_headings import StyledHeadings
from groundwire_readers.readers.opendocument.styles import DRAW, OFFICE, TEXT, Styles, read_styles
from groundwire_readers.readers.opendocument.text_blocks import SKIPPED_ELEMENTS, blocks_of_elements

_HREF: Final = "http://www.w3.org/1999/xlink href"
_SVG: Final = "urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"
_DESCRIPTIONS: Final = (f"{_SVG} title", f"{_SVG} desc")
_SECTION: Final = f"{TEXT} section"
_FRAME: Final = f"{DRAW} frame"


def find_images(content: bytes) -> Iterator[Candidate]:
    """Yield the visible images.

    Raises:
        UnreadableDocument: damaged, or more than is safe to unpack.
    """
    with open_package(content) as package:
        tree = parse_xml(read_entry(package, "content.xml"))
        further = read_entry(package, "styles.xml")
        defining = [tree, *([parse_xml(further)] if further else [])]
        styles = read_styles(defining)
        Looks(defining).remove_hidden_text(tree, is_slide=next(tree.iter(f"{DRAW} page"), None) is not None)
        StyledHeadings(defining).write(tree)
        for body in tree.iter(f"{OFFICE} spreadsheet"):
            for page, table in enumerate(sheet_tables(body), 1):
                if images := list(_images([table], styles, package)):
                    yield from candidates_of_page(page, list(sheet_blocks(table, styles)), images)
        for body in tree.iter(f"{OFFICE} presentation"):
            for page, slide in enumerate(body.iter(f"{DRAW} page"), 1):
                if images := list(_images([slide], styles, package)):
                    yield from candidates_of_page(page, list(slide_blocks(slide, styles)), images)
        for body in tree.iter(f"{OFFICE} text"):
            yield from candidates_of_flow(list(_items(body, styles, package)))


def _items(body: Element, styles: Styles, package: zipfile.ZipFile) -> Iterator[FlowItem]:
    """Yield paragraph by paragraph the images, then the text, to which the captions belong."""
    for child in body:
        if child.tag == _SECTION and not styles.hides(child) and child.get(f"{TEXT} display") != "none":
            yield from _items(child, styles, package)
        else:
            yield from _images([child], styles, package)
            _remove_descriptions(child)
            yield from blocks_of_elements([child], styles)


def _remove_descriptions(element: Element) -> None:
    """Remove the texts of images, which are no text between an image and its caption."""
    for frame in element.iter(_FRAME):
        for child in [one for one in frame if one.tag in _DESCRIPTIONS]:
            frame.remove(child)


def _images(elements: list[Element], styles: Styles, package: zipfile.ZipFile) -> Iterator[FlowImage]:
    for element in elements:
        if element.tag in SKIPPED_ELEMENTS or styles.hides(element) or element.get(f"{TEXT} display") == "none":
            continue
        if element.tag == _FRAME:
            yield from _image(element, package)
        yield from _images(list(element), styles, package)


def _image(frame: Element, package: zipfile.ZipFile) -> Iterator[FlowImage]:
    """Yield the image of a frame; of several renditions the first that is no drawing."""
    texts = ["".join(one.itertext()) for name in _DESCRIPTIONS for one in frame if one.tag == name]
    loads = [(one.get(_HREF, ""), one) for one in frame if one.tag == f"{DRAW} image"]
    # Programs store a raster picture beside a drawing for readers that draw no vectors.
    loads.sort(key=lambda entry: entry[0].lower().endswith((".svg", ".svm", ".wmf", ".emf")))
    for href, image in loads[:1]:
        if (load := _loader(href, image, package)) is not None:
            yield FlowImage(load, join_texts(*texts))


def _loader(href: str, image: Element, package: zipfile.ZipFile) -> Callable[[], bytes] | None:
    if href:
        path = href.removeprefix("./")
        return partial(read_entry, package, path) if path in package.NameToInfo else None
    data = next(image.iter(f"{OFFICE} binary-data"), None)
    return None if data is None else partial(_decode, data.text or "")


def _decode(text: str) -> bytes:
    try:
        return base64.b64decode(text)
    except (binascii.Error, ValueError):
        return text.encode(errors="replace")
