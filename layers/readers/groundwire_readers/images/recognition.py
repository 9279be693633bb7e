"""Recognised text of an image."""

from groundwire_readers.images.raster.conversion import recognise_image
from groundwire_readers.images.raster.headers import read_header
from groundwire_readers.images.raster.png_stream import ImageDamaged
from groundwire_readers.images.texts import clean_text, without_noise
from groundwire_readers.ocr import OcrSettings


def recognise_text(content: bytes, settings: OcrSettings) -> str:
    """Return the normalised text of an image; empty if it has no text, or cannot be read."""
    header = read_header(content)
    if header is None:
        return ""
    try:
        return without_noise(clean_text(recognise_image(content, header.media_type, settings)))
    except ImageDamaged:
        return ""
