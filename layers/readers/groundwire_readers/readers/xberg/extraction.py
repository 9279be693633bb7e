"""Adapter of the parser library xberg: converts bytes to its nodes, and its errors to refusals."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, cast

import xberg
from xberg import _xberg as native  # pyright: ignore[reportPrivateUsage] - it has the types of the results

from groundwire_readers.errors import UnreadableDocument
from groundwire_readers.formats import Format
from groundwire_readers.ocr import OcrPages, OcrSettings

_SINGLE_PAGE_OCR: Final = xberg.ConcurrencyConfig(max_concurrent_ocr=1)
"""One page at a time: the images of several pages would exceed the memory of a worker."""
_REASONS: Final = (
    (("encrypted", "password"), "it is encrypted: save it without a password"),
    (("ratio", "bomb", "too many", "too large", "exceeds", "limit"), "it unpacks to more than is safe to read"),
    (("too deep", "nesting", "depth"), "it is nested too deeply"),
)


@dataclass(frozen=True, slots=True)
class Annotation:
    """A property of a range of a node's text.

    Attributes:
        start, end: range in characters.
        kind: kind of the property, such as "link" or "font_size".
        value: its value, such as the URL or the size.
    """

    start: int
    end: int
    kind: str
    value: str


@dataclass(frozen=True, slots=True)
class Node:
    """One node of the library's tree.

    Attributes:
        content: its fields by the library's names, which depend on `node_type`.
        parent: index of the parent node.
        page: page number, from 1.
        layer: "body", "header", "footer" or "footnote".
        annotations: properties of ranges of its text.
        list_marker: marker of a list item.
    """

    content: Mapping[str, object]
    parent: int | None
    page: int | None
    layer: str
    annotations: tuple[Annotation, ...]
    list_marker: str


@dataclass(frozen=True, slots=True)
class Extraction:
    """The library's result.

    Attributes:
        pages: 0 where the library does not count them.
        properties: from the file's own properties.
    """

    title: str | None
    pages: int
    nodes: tuple[Node, ...]
    properties: Mapping[str, object] = field(default_factory=dict[str, object])

    def is_within_item(self, node: Node) -> bool:
        """Return whether a node is in a list, but none of its items."""
        is_in_list = node.parent is not None and self.nodes[node.parent].content.get("node_type") == "list"
        return is_in_list and node.content.get("node_type") != "list_item"


def extract(content: bytes, document_format: Format, ocr_pages: OcrPages | None = None) -> Extraction:
    """Return the nodes of the document; nothing is downloaded, cached or unpacked recursively.

    Text recognition (OCR) replaces the text of the pages in `ocr_pages`.

    Raises:
        UnreadableDocument: damaged, encrypted, or more than is safe to read.
    """
    config = xberg.ExtractionConfig(
        use_cache=False,
        disable_ocr=ocr_pages is None,
        ocr=None if ocr_pages is None else ocr_config(ocr_pages.settings),
        force_ocr_pages=None if ocr_pages is None else list(ocr_pages.pages),
        ocr_embedded_images=False,
        concurrency=_SINGLE_PAGE_OCR,
        include_document_structure=True,
        enable_quality_processing=False,
        escape_markdown=False,
        max_archive_depth=0,
        extraction_timeout_secs=None,
        content_filter=xberg.ContentFilterConfig(include_footnotes=True),
    )
    source = xberg.ExtractInput(kind=xberg.ExtractInputKind.BYTES, bytes=content, mime_type=document_format.media_type)
    try:
        result = asyncio.run(xberg.extract(source, config))
    # The library raises RuntimeError for most defects of a file.
    except (RuntimeError, ValueError, xberg.XbergError) as error:
        raise UnreadableDocument(reason_of(str(error), document_format)) from error
    if result.errors or not result.results:
        raise UnreadableDocument(reason_of(" ".join(item.message for item in result.errors), document_format))
    document = result.results[0]
    structure = document.document
    nodes = () if structure is None else tuple(node_of(node) for node in structure.nodes)
    return Extraction(document.metadata.title, document.counts.pages or 0, nodes, _properties(document.metadata))


def _properties(metadata: native.Metadata) -> dict[str, object]:
    """Return the document properties that search uses."""
    properties: dict[str, object] = {
        "author": ", ".join(metadata.authors or []),
        "subject": metadata.subject,
        "keywords": metadata.keywords,
        "created": metadata.created_at,
        "modified": metadata.modified_at,
    }
    return {name: value for name, value in properties.items() if value}


def ocr_config(settings: OcrSettings, min_confidence: float = 0.0) -> xberg.OcrConfig:
    """Return the library's OCR configuration; `min_confidence` of a word is from 0 to 100."""
    languages = list(settings.languages)
    tesseract = xberg.TesseractConfig(
        language=languages, enable_table_detection=False, use_cache=False, min_confidence=min_confidence
    )
    return xberg.OcrConfig(language=languages, tesseract_config=tesseract, tessdata_path=str(settings.tessdata_folder))


def node_of(node: native.DocumentNode) -> Node:
    """Return a node of the library with offsets in characters instead of bytes."""
    content = cast("dict[str, object]", json.loads(str(node.content)))
    text = content.get("text")
    annotations = _annotations(text, node) if isinstance(text, str) and node.annotations else ()
    marker = (node.attributes or {}).get("list_marker", "")
    return Node(content, node.parent, node.page, str(node.content_layer), annotations, marker)


def _annotations(text: str, node: native.DocumentNode) -> tuple[Annotation, ...]:
    """Return the annotations, their byte offsets converted to characters."""
    offsets = {end for annotation in node.annotations for end in (annotation.start, annotation.end)}
    characters = _characters_before(text.encode(), sorted(offsets))
    annotations: list[Annotation] = []
    for annotation in node.annotations:
        kind = cast("dict[str, object]", json.loads(str(annotation.kind)))
        start, end = characters[annotation.start], characters[annotation.end]
        value = str(kind.get("url") or kind.get("value") or "")
        annotations.append(Annotation(start, end, str(kind.get("annotation_type")), value))
    return tuple(annotations)


def _characters_before(text: bytes, offsets: Sequence[int]) -> dict[int, int]:
    """Return the number of characters before each byte offset; ordered offsets let the text be decoded once."""
    counts: dict[int, int] = {}
    position = count = 0
    for offset in offsets:
        count += len(text[position:offset].decode(errors="ignore"))
        position, counts[offset] = offset, count
    return counts


def reason_of(message: str, document_format: Format) -> str:
    """Return the reason of a refusal for an error of the library."""
    lowered = message.lower()
    for markers, reason in _REASONS:
        if any(marker in lowered for marker in markers):
            return reason
    return (
        f"it is damaged or not a valid .{document_format.extension} file: open it in its own program and save it anew"
    )
