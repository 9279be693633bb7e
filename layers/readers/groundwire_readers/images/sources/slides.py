"""Images of presentations: pictures and picture fills of the visible shapes of visible slides."""

import zipfile
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Final
from xml.etree.ElementTree import Element

from groundwire_readers.containers.xml_tree import parse_xml
from groundwire_readers.containers.zip_package import open_package, read_entry
from groundwire_readers.images.flow import Candidate, FlowImage, candidates_of_page
from groundwire_readers.images.sources.repetition import repeated_on_most_pages
from groundwire_readers.images.texts import join_texts
from groundwire_readers.readers.office.alternatives import shown_children
from groundwire_readers.readers.office.package_parts import RELATIONSHIP_NAMESPACE, relationships
from groundwire_readers.readers.office.presentations.presentation import read_slide, slide_paths
from groundwire_readers.readers.office.presentations.slides import DRAWING_NAMESPACE, SLIDE_NAMESPACE, is_hidden_shape

if TYPE_CHECKING:
    from groundwire_readers.contents.parsed import Block
    from groundwire_readers.readers.office.presentations.slide_defaults import SlideDefaults

_GROUP: Final = f"{SLIDE_NAMESPACE} grpSp"
_WITH_IMAGES: Final = (f"{SLIDE_NAMESPACE} pic", f"{SLIDE_NAMESPACE} sp")

_Picture = tuple[str, str]
"""Path in the package, and alternative text."""


def find_images(content: bytes) -> Iterator[Candidate]:
    """Yield the images of the visible slides.

    Raises:
        UnreadableDocument: damaged, or more than is safe to unpack.
    """
    with open_package(content) as package:
        slides: list[tuple[int, list[Block], list[_Picture]]] = []
        paths = list(slide_paths(package))
        defaults_by_layout: dict[str, SlideDefaults] = {}
        for number, path in enumerate(paths, 1):
            slide = read_slide(package, path, defaults_by_layout)
            if slide is not None:
                slides.append((number, slide.blocks, list(_pictures(package, path))))
        listed = [(number, part) for number, _, pictures in slides for part, _ in pictures]
        repeated = repeated_on_most_pages(listed, len(slides))
        for number, blocks, pictures in slides:
            images = [
                FlowImage(partial(read_entry, package, part), alt) for part, alt in pictures if part not in repeated
            ]
            yield from candidates_of_page(number, blocks, images)


def _pictures(package: zipfile.ZipFile, path: str) -> Iterator[_Picture]:
    targets = {
        identity: one.target
        for identity, one in relationships(package, path).items()
        if one.kind == "image" and not one.is_external
    }
    for tree in parse_xml(read_entry(package, path)).iter(f"{SLIDE_NAMESPACE} spTree"):
        for shape in _shapes(tree):
            alt = _alt_text(shape)
            for blip in shape.iter(f"{DRAWING_NAMESPACE} blip"):
                if (target := targets.get(blip.get(f"{RELATIONSHIP_NAMESPACE} embed", ""))) is not None:
                    yield target, alt


def _shapes(group: Element) -> Iterator[Element]:
    for shape in shown_children(group):
        if is_hidden_shape(shape):
            continue
        if shape.tag in _WITH_IMAGES:
            yield shape
        elif shape.tag == _GROUP:
            yield from _shapes(shape)


def _alt_text(shape: Element) -> str:
    properties = next((one for one in shape.iter(f"{SLIDE_NAMESPACE} cNvPr")), None)
    return "" if properties is None else join_texts(properties.get("title", ""), properties.get("descr", ""))
