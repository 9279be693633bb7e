"""The parser library behind one function: bytes in, its nodes out, its errors as refusals."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, cast

import xberg
from xberg import _xberg as native  # pyright: ignore[reportPrivateUsage] - the types of what comes out live there

from groundwire.adapters.parse.formats import Format
from groundwire.adapters.parse.ocr import OcrPages, OcrSettings
from groundwire.domain.errors import DocumentRefused

_SINGLE_PAGE_OCR: Final = xberg.ConcurrencyConfig(max_concurrent_ocr=1)
"""Pictures of several pages at once would be the most that a worker holds."""
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
        content: its fields, by the library's names; `node_type` says which there are.
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
    """What the library found; `pages` is 0 where it does not count them, `properties` what the file's properties say."""

    title: str | None
    pages: int
    nodes: tuple[Node, ...]
    properties: Mapping[str, object] = field(default_factory=dict[str, object])


def extract(content: bytes, document_format: Format, ocr_pages: OcrPages | None = None) -> Extraction:
    """The nodes of the document; nothing is fetched, cached or unpacked recursively.

    The pages of `ocr_pages` are recognised from their pictures, in place of what text stands on them.

    Raises:
        DocumentRefused: damaged, encrypted, or more than is safe to read.
    """
    config = xberg.ExtractionConfig(
        use_cache=False,
        disable_ocr=ocr_pages is None,
        ocr=None if ocr_pages is None else _ocr(ocr_pages.settings),
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
    # The library raises RuntimeError for most of what is wrong with a file.
    except (RuntimeError, ValueError, xberg.XbergError) as error:
        raise DocumentRefused(_reason(str(error), document_format)) from error
    if result.errors or not result.results:
        raise DocumentRefused(_reason(" ".join(item.message for item in result.errors), document_format))
    document = result.results[0]
    structure = document.document
    nodes = () if structure is None else tuple(_node(node) for node in structure.nodes)
    return Extraction(document.metadata.title, document.counts.pages or 0, nodes, _properties(document.metadata))


def _properties(metadata: native.Metadata) -> dict[str, object]:
    """The properties that an owner would search by."""
    found: dict[str, object] = {
        "author": ", ".join(metadata.authors or []),
        "subject": metadata.subject,
        "keywords": metadata.keywords,
        "created": metadata.created_at,
        "modified": metadata.modified_at,
    }
    return {name: value for name, value in found.items() if value}


def _ocr(recognition: OcrSettings) -> xberg.OcrConfig:
    languages = list(recognition.languages)
    tesseract = xberg.TesseractConfig(language=languages, enable_table_detection=False, use_cache=False)
    return xberg.OcrConfig(
        language=languages, tesseract_config=tesseract, tessdata_path=str(recognition.tessdata_folder)
    )


def _node(node: native.DocumentNode) -> Node:
    content = cast("dict[str, object]", json.loads(str(node.content)))
    text = content.get("text")
    marks = _annotations(text, node) if isinstance(text, str) and node.annotations else ()
    marker = (node.attributes or {}).get("list_marker", "")
    return Node(content, node.parent, node.page, str(node.content_layer), marks, marker)


def _annotations(text: str, node: native.DocumentNode) -> tuple[Annotation, ...]:
    """The annotations, their byte offsets turned into characters."""
    whole = text.encode()
    found: list[Annotation] = []
    for annotation in node.annotations:
        kind = cast("dict[str, object]", json.loads(str(annotation.kind)))
        start, end = (len(whole[:at].decode(errors="ignore")) for at in (annotation.start, annotation.end))
        value = str(kind.get("url") or kind.get("value") or "")
        found.append(Annotation(start, end, str(kind.get("annotation_type")), value))
    return tuple(found)


def _reason(message: str, known: Format) -> str:
    lowered = message.lower()
    for signs, reason in _REASONS:
        if any(sign in lowered for sign in signs):
            return reason
    return f"it is damaged or not a valid .{known.extension} file: open it in its own program and save it anew"
