"""Adapter function of the parser library: bytes in, its nodes out, its errors as refusals."""

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
"""Recognition of one page at a time: the pictures of several would exceed all other memory of a worker."""
_REASONS: Final = (
    (("encrypted", "password"), "it is encrypted: save it without a password"),
    (("ratio", "bomb", "too many", "too large", "exceeds", "limit"), "it unpacks to more than is safe to read"),
    (("too deep", "nesting", "depth"), "it is nested too deeply"),
)


@dataclass(frozen=True, slots=True)
class Annotation:
    """A property of part of a node's text.

    Attributes:
        start, end: in characters. kind: such as "link" or "font_size". value: the address or size.
    """

    start: int
    end: int
    kind: str
    value: str


@dataclass(frozen=True, slots=True)
class Node:
    """One node of the library's tree.

    Attributes:
        content: its fields, by the library's names; `node_type` determines which there are.
        parent: position of the parent node. layer: "body", "header", "footer" or "footnote".
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


def extract(content: bytes, document_format: Format, ocr_pages: OcrPages | None = None) -> Extraction:
    """Return the nodes of the document; nothing is downloaded, cached or unpacked recursively.

    The pages of `ocr_pages` are recognised from their pictures, which replaces their own text.

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
    """Return the properties that are useful for search."""
    found: dict[str, object] = {
        "author": ", ".join(metadata.authors or []),
        "subject": metadata.subject,
        "keywords": metadata.keywords,
        "created": metadata.created_at,
        "modified": metadata.modified_at,
    }
    return {name: value for name, value in found.items() if value}


def ocr_config(settings: OcrSettings, min_confidence: float = 0.0) -> xberg.OcrConfig:
    """Return the library's configuration of text recognition; `min_confidence` is that of a word, of 100."""
    languages = list(settings.languages)
    tesseract = xberg.TesseractConfig(
        language=languages, enable_table_detection=False, use_cache=False, min_confidence=min_confidence
    )
    return xberg.OcrConfig(language=languages, tesseract_config=tesseract, tessdata_path=str(settings.tessdata_folder))


def node_of(node: native.DocumentNode) -> Node:
    """Return a node of the library with its offsets in characters."""
    content = cast("dict[str, object]", json.loads(str(node.content)))
    text = content.get("text")
    annotations = _annotations(text, node) if isinstance(text, str) and node.annotations else ()
    marker = (node.attributes or {}).get("list_marker", "")
    return Node(content, node.parent, node.page, str(node.content_layer), annotations, marker)


def _annotations(text: str, node: native.DocumentNode) -> tuple[Annotation, ...]:
    """Return the annotations, their byte offsets converted to characters."""
    ends = {end for annotation in node.annotations for end in (annotation.start, annotation.end)}
    characters = _characters_before(text.encode(), sorted(ends))
    found: list[Annotation] = []
    for annotation in node.annotations:
        kind = cast("dict[str, object]", json.loads(str(annotation.kind)))
        start, end = characters[annotation.start], characters[annotation.end]
        value = str(kind.get("url") or kind.get("value") or "")
        found.append(Annotation(start, end, str(kind.get("annotation_type")), value))
    return tuple(found)


def _characters_before(whole: bytes, offsets: Sequence[int]) -> dict[int, int]:
    """Return the number of characters before each byte; the offsets are ordered, so that the text is decoded once."""
    found: dict[int, int] = {}
    position = count = 0
    for offset in offsets:
        count += len(whole[position:offset].decode(errors="ignore"))
        position, found[offset] = offset, count
    return found


def reason_of(message: str, document_format: Format) -> str:
    """Return the reason of a refusal for an error of the library."""
    lowered = message.lower()
    for markers, reason in _REASONS:
        if any(marker in lowered for marker in markers):
            return reason
    return (
        f"it is damaged or not a valid .{document_format.extension} file: open it in its own program and save it anew"
    )
