"""Images of Word files: pictures in the text, with alternative texts and captions; not those of headers and footers."""

import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final
from xml.etree.ElementTree import Element

from groundwire_readers.containers.xml_tree import parse_xml
from groundwire_readers.containers.zip_package import read_entry
from groundwire_readers.contents.parsed import Block, BlockKind
from groundwire_readers.images.flow import Candidate, Caption, FlowImage, FlowItem, candidates_of_flow
from groundwire_readers.images.texts import join_texts
from groundwire_readers.readers.office.alternatives import shown_children
from groundwire_readers.readers.office.package_parts import RELATIONSHIP_NAMESPACE, Relationship, relationships
from groundwire_readers.readers.office.presentations.slides import DRAWING_NAMESPACE
from groundwire_readers.readers.word.word_package import open_word_package, visible_document
from groundwire_readers.text.normalisation import normalise

_DOCUMENT: Final = "word/document.xml"
_STYLES: Final = "word/styles.xml"
_WORD: Final = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_DRAWING: Final = "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"
_VECTOR: Final = "urn:schemas-microsoft-com:vml"
_OFFICE: Final = "urn:schemas-microsoft-com:office:office"
# Tracked changes: text that was deleted, and text at the place from which it was moved.
_DELETED: Final = (f"{_WORD} del", f"{_WORD} moveFrom")
_SPACES: Final = {f"{_WORD} tab": "\t", f"{_WORD} br": "\n", f"{_WORD} cr": "\n"}
_TEXT_BOX: Final = f"{_WORD} txbxContent"
_HIDDEN: Final = ("1", "true")


@dataclass(frozen=True, slots=True)
class _WordFile:
    """The package, and the names of its styles in lower case by their ids."""

    package: zipfile.ZipFile
    relationships: Mapping[str, Relationship]
    styles: Mapping[str, str]


def find_images(content: bytes) -> Iterator[Candidate]:
    """Yield the images of the text, without those in hidden runs.

    Raises:
        UnreadableDocument: damaged, or more than is safe to unpack.
    """
    with open_word_package(content) as package:
        file = _WordFile(package, relationships(package, _DOCUMENT), _style_names(package))
        yield from candidates_of_flow(list(_items(parse_xml(visible_document(package)), file)))


def _style_names(package: zipfile.ZipFile) -> dict[str, str]:
    content = read_entry(package, _STYLES)
    if not content:
        return {}
    return {
        style.get(f"{_WORD} styleId", ""): name.get(f"{_WORD} val", "").lower()
        for style in parse_xml(content).iter(f"{_WORD} style")
        for name in style
        if name.tag == f"{_WORD} name"
    }


def _items(element: Element, file: _WordFile) -> Iterator[FlowItem]:
    """Yield the images and the text of all paragraphs; those of a text box follow the paragraph that anchors it."""
    for child in _shown(element):
        if child.tag == f"{_WORD} p":
            boxes: list[Element] = []
            texts: list[str] = []
            images: list[FlowImage] = []
            _read_paragraph(child, file, texts, images, boxes)
            yield from images
            yield from _text_item(child, "".join(texts), file)
            for box in boxes:
                yield from _items(box, file)
        else:
            yield from _items(child, file)


def _shown(element: Element) -> Iterator[Element]:
    """Yield the children that are not deleted; of alternatives the one that Word shows."""
    return (child for child in shown_children(element) if child.tag not in _DELETED)


def _read_paragraph(
    element: Element, file: _WordFile, texts: list[str], images: list[FlowImage], boxes: list[Element]
) -> None:
    for child in _shown(element):
        if child.tag == f"{_WORD} t":
            texts.append(child.text or "")
        elif child.tag in _SPACES:
            texts.append(_SPACES[child.tag])
        elif child.tag == _TEXT_BOX:
            boxes.append(child)
        elif child.tag in (f"{_DRAWING} inline", f"{_DRAWING} anchor"):
            images += _drawn_images(child, file)
            boxes += _boxes(child)
        elif child.tag == f"{_VECTOR} shape":
            images += _vector_images(child, file)
            boxes += _boxes(child)
        else:
            _read_paragraph(child, file, texts, images, boxes)


def _own_elements(drawing: Element) -> Iterator[Element]:
    """Yield the elements of a drawing, its text boxes among them, without what the boxes hold."""
    for child in drawing:
        yield child
        if child.tag != _TEXT_BOX:
            yield from _own_elements(child)


def _boxes(drawing: Element) -> Iterator[Element]:
    return (one for one in _own_elements(drawing) if one.tag == _TEXT_BOX)


def _text_item(paragraph: Element, text: str, file: _WordFile) -> Iterator[FlowItem]:
    clean = normalise(text)
    if not clean:
        return
    style = next((one.get(f"{_WORD} val", "") for one in paragraph.iter(f"{_WORD} pStyle")), "")
    # Word's own styles have English names in every language; their ids are translated.
    name = file.styles.get(style, style.lower())
    level = name.removeprefix("heading").strip()
    if name == "caption":
        yield Caption(clean)
    elif name == "title" or (name.startswith("heading") and level in tuple("123456789")):
        yield Block(BlockKind.HEADING, clean, level=int(level) if level.isdecimal() else 1)
    else:
        yield Block(BlockKind.PARAGRAPH, clean)


def _drawn_images(drawing: Element, file: _WordFile) -> Iterator[FlowImage]:
    properties = next((one for one in drawing if one.tag == f"{_DRAWING} docPr"), None)
    if properties is not None and properties.get("hidden") in _HIDDEN:
        return
    alt = "" if properties is None else join_texts(properties.get("title", ""), properties.get("descr", ""))
    for blip in (one for one in _own_elements(drawing) if one.tag == f"{DRAWING_NAMESPACE} blip"):
        yield from _image(blip.get(f"{RELATIONSHIP_NAMESPACE} embed", ""), alt, file)


def _vector_images(shape: Element, file: _WordFile) -> Iterator[FlowImage]:
    for data in (one for one in _own_elements(shape) if one.tag == f"{_VECTOR} imagedata"):
        alt = join_texts(data.get(f"{_OFFICE} title", ""), shape.get("alt", ""))
        yield from _image(data.get(f"{RELATIONSHIP_NAMESPACE} id", ""), alt, file)


def _image(identity: str, alt: str, file: _WordFile) -> Iterator[FlowImage]:
    relationship = file.relationships.get(identity)
    if relationship is not None and relationship.kind == "image" and not relationship.is_external:
        yield FlowImage(partial(read_entry, file.package, relationship.target), alt)
