"""Recognised text of an image, cleaned of the noise that photographs give."""

import re
from typing import Final

from groundwire.adapters.parse.images.raster.conversion import recognise_image
from groundwire.adapters.parse.images.raster.headers import read_header
from groundwire.adapters.parse.images.raster.png_stream import ImageDamaged
from groundwire.adapters.parse.images.texts import clean_text
from groundwire.adapters.parse.ocr import OcrSettings

_WORD: Final = re.compile(r"[^\W\d_]{3,}|\d{2,}|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]{2,}")
_WORD_SHARE: Final = 0.5
"""Share of the characters that belong to words; in the noise of a photograph most are single signs."""


def recognise_text(content: bytes, settings: OcrSettings) -> str:
    """Return the normalised text of an image; empty when there is none, or it cannot be read."""
    header = read_header(content)
    if header is None:
        return ""
    try:
        text = clean_text(recognise_image(content, header.media_type, settings))
    except ImageDamaged:
        return ""
    characters = sum(not character.isspace() for character in text)
    return text if sum(map(len, _WORD.findall(text))) >= _WORD_SHARE * max(characters, 1) else ""
