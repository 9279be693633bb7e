"""Images of Word files: pictures in the text, with alternative texts and captions; not those of headers and footers."""

import zipfile
from collections.abc import Iterator
from functools import partial
from typing import Final

from groundwire_readers.containers.zip_package import open_package, read_entry
from groundwire_readers.images.flow import Candidate, Caption, FlowImage, FlowItem, candidates_of_flow
from groundwire_readers.images.texts import join_texts
from groundwire_readers.readers.word.document_reader import WordFlow, read_flow
from groundwire_readers.readers.word.flow.blocks import text_block
from groundwire_readers.readers.word.flow.items import Paragraph, Picture, flattened

_CAPTION_STYLE: Final = "caption"


def find_images(content: bytes) -> Iterator[Candidate]:
    """Yield the images of the text, without those in hidden runs.

    Raises:
        UnreadableDocument: damaged, or more than is safe to unpack.
    """
    with open_package(content) as package:
        yield from candidates_of_flow(list(_items(read_flow(package), package)))


def _items(flow: WordFlow, package: zipfile.ZipFile) -> Iterator[FlowItem]:
    for item in flattened(flow.items):
        if not isinstance(item, Paragraph):
            continue
        for picture in item.pictures:
            yield from _image(picture, flow, package)
        for block in text_block(item, flow.styles):
            # Word's own styles have English names in every language; their ids are translated.
            is_caption = flow.styles.names.get(item.style) == _CAPTION_STYLE
            yield Caption(block.text) if is_caption else block


def _image(picture: Picture, flow: WordFlow, package: zipfile.ZipFile) -> Iterator[FlowImage]:
    relationship = flow.relationships.get(picture.relationship)
    if relationship is not None and relationship.kind == "image" and not relationship.is_external:
        load = partial(read_entry, package, relationship.target)
        yield FlowImage(load, join_texts(picture.title, picture.alt_text))
