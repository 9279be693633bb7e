"""Raster images by the parser library: conversion between formats, pictures of pages, recognised text."""

import asyncio
from typing import Final

import xberg
from xberg import _xberg as native  # pyright: ignore[reportPrivateUsage] - it has the types of the results

from groundwire_readers.formats import PDF
from groundwire_readers.images.raster.png_stream import ImageDamaged
from groundwire_readers.ocr import OcrSettings
from groundwire_readers.readers.xberg.extraction import ocr_config

_LIMITS: Final = xberg.SecurityLimits(max_content_size=480_000_000)
"""Limit of the memory for pixels, decoded and encoded at once: 12 bytes per pixel of the largest accepted image."""
_POINTS_PER_INCH: Final = 72
_SCAN_DPI: Final = 200
_MIN_CONFIDENCE: Final = 50.0
"""Confidence, of 100, below which a word is noise of a photograph."""
_CAPTURE: Final = "page-capture"
_DUMMY_TEXT: Final = "This text is enough for the library to look for no other text on the page."
_ERRORS: Final = (RuntimeError, ValueError, xberg.XbergError)


class _PageCapture:
    """Text recognition that keeps the pictures it is given and recognises nothing."""

    def __init__(self) -> None:
        self.pictures: list[bytes] = []

    def name(self) -> str:
        return _CAPTURE

    def version(self) -> str:
        return "1"

    def initialize(self) -> None:
        """Do nothing; part of the library's interface."""

    def shutdown(self) -> None:
        """Do nothing; part of the library's interface."""

    def process_image(self, image_bytes: bytes, config: object) -> dict[str, object]:  # noqa: ARG002 - the interface
        self.pictures.append(bytes(image_bytes))
        return {"content": _DUMMY_TEXT, "mime_type": "text/plain", "metadata": {}, "tables": []}

    def supports_language(self, lang: str) -> bool:  # noqa: ARG002 - the interface
        return True

    def supported_languages(self) -> list[str]:
        return ["eng"]

    def backend_type(self) -> native.OcrBackendType:
        return native.OcrBackendType.CUSTOM


def convert(content: bytes, media_type: str, target: str) -> bytes:
    """Return a raster image decoded and encoded as `target`: "png", "jpeg" or "webp" (without loss).

    Raises:
        ImageDamaged: it cannot be decoded, would need too much memory, or is of the target's type already: the library
            returns such an image as it is, with its metadata.
    """
    config = xberg.ExtractionConfig(
        use_cache=False,
        disable_ocr=True,
        images=_images(output_format=target),
        security_limits=_LIMITS,
        extraction_timeout_secs=None,
    )
    found = _extract(content, media_type, config).images or []
    if not found or found[0].format != target:
        raise ImageDamaged("nothing was encoded")
    return bytes(found[0].data)


def render_page(pdf: bytes, page: int, longest_side: int | None) -> bytes:
    """Return a picture of a page, as PNG.

    Args:
        pdf: the file.
        page: its number, from 1.
        longest_side: limit in pixels; None for one pixel per point.

    Raises:
        ImageDamaged: the page cannot be drawn.
    """
    # The library draws a page only for text recognition, so a recogniser takes the picture.
    capture = _PageCapture()
    images = (
        _images(target_dpi=_POINTS_PER_INCH, auto_adjust_dpi=False)
        if longest_side is None
        else _images(target_dpi=_SCAN_DPI, max_image_dimension=longest_side)
    )
    config = xberg.ExtractionConfig(
        use_cache=False,
        disable_ocr=False,
        ocr=xberg.OcrConfig(backend=_CAPTURE, language=["eng"]),
        force_ocr_pages=[page],
        images=images,
        security_limits=_LIMITS,
        max_archive_depth=0,
        extraction_timeout_secs=None,
    )
    xberg.register_ocr_backend(capture)  # pyright: ignore[reportArgumentType] - it takes a result as a mapping, too
    try:
        _extract(pdf, PDF.media_type, config)
    finally:
        xberg.unregister_ocr_backend(_CAPTURE)
    if not capture.pictures:
        raise ImageDamaged("nothing was drawn")
    return capture.pictures[0]


def recognise_image(content: bytes, media_type: str, settings: OcrSettings) -> str:
    """Return the text that is recognised in an image, a paragraph per line; empty if it is missing.

    Raises:
        ImageDamaged: it cannot be decoded.
    """
    config = xberg.ExtractionConfig(
        use_cache=False,
        disable_ocr=False,
        ocr=ocr_config(settings, min_confidence=_MIN_CONFIDENCE),
        images=_images(extract_images=False),
        extraction_timeout_secs=None,
    )
    return _extract(content, media_type, config).content


def _images(**options: object) -> xberg.ImageExtractionConfig:
    return xberg.ImageExtractionConfig(inject_placeholders=False, run_ocr_on_images=False, **options)  # pyright: ignore[reportArgumentType] - checked by the library


def _extract(content: bytes, media_type: str, config: xberg.ExtractionConfig) -> native.ExtractedDocument:
    source = xberg.ExtractInput(kind=xberg.ExtractInputKind.BYTES, bytes=content, mime_type=media_type)
    try:
        result = asyncio.run(xberg.extract(source, config))
    except _ERRORS as error:
        raise ImageDamaged(str(error)) from error
    if not result.results:
        raise ImageDamaged("no result")
    return result.results[0]
