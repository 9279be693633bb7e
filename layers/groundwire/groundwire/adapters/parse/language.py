"""Detection of a document's language from its prose: lists of links and tables of names would mislead a detector."""

from collections.abc import Sequence
from typing import Final

from groundwire.adapters.parse.readers.xberg import detection
from groundwire.domain.documents.parsed import Block, BlockKind

_CONFIDENCE: Final = 0.9
"""Minimum confidence; below it the detector takes "hello world" for Dutch and German sentences for Afrikaans."""
_PROSE_CHARACTERS: Final = 40
_WIDE_PROSE_CHARACTERS: Final = 8
"""Minimum length of a sentence in Chinese, Japanese and Korean, which are shorter."""
_SAMPLES: Final = 60
_SAMPLE_CHARACTERS: Final = 250
_WIDE: Final = ("\u1100", "\U0003ffff")
_LANGUAGES_BY_SCRIPT: Final = frozenset(["jpn", "kor", "ell", "heb", "tha", "hye", "kat"])
"""Languages that can be detected from names alone, by their script."""
_JAPANESE: Final = ("cp932",)
_CHINESE: Final = ("gb2312", "big5")
_CODES: Final = {
    "afr": "af",
    "amh": "am",
    "ara": "ar",
    "aze": "az",
    "bel": "be",
    "ben": "bn",
    "bul": "bg",
    "cat": "ca",
    "ces": "cs",
    "cmn": "zh",
    "dan": "da",
    "deu": "de",
    "ell": "el",
    "eng": "en",
    "epo": "eo",
    "est": "et",
    "fin": "fi",
    "fra": "fr",
    "guj": "gu",
    "heb": "he",
    "hin": "hi",
    "hrv": "hr",
    "hun": "hu",
    "hye": "hy",
    "ind": "id",
    "ita": "it",
    "jav": "jv",
    "jpn": "ja",
    "kan": "kn",
    "kat": "ka",
    "khm": "km",
    "kor": "ko",
    "lat": "la",
    "lav": "lv",
    "lit": "lt",
    "mal": "ml",
    "mar": "mr",
    "mkd": "mk",
    "mya": "my",
    "nep": "ne",
    "nld": "nl",
    "nob": "nb",
    "ori": "or",
    "pan": "pa",
    "pes": "fa",
    "pol": "pl",
    "por": "pt",
    "ron": "ro",
    "rus": "ru",
    "sin": "si",
    "slk": "sk",
    "slv": "sl",
    "sna": "sn",
    "spa": "es",
    "srp": "sr",
    "swe": "sv",
    "tam": "ta",
    "tel": "te",
    "tgl": "tl",
    "tha": "th",
    "tuk": "tk",
    "tur": "tr",
    "ukr": "uk",
    "urd": "ur",
    "uzb": "uz",
    "vie": "vi",
    "yid": "yi",
    "zul": "zu",
}
"""ISO 639-3, as the detector returns it, to ISO 639-1."""


def language_of(blocks: Sequence[Block]) -> str | None:
    """Return the ISO 639-1 code; None when there is too little prose to be sure."""
    prose = [block.text for block in blocks if _is_prose(block)]
    if prose:
        return _CODES.get(detection.detect_language_code(_sample(prose), _CONFIDENCE) or "")
    sample = _sample([block.text for block in blocks])
    found = detection.detect_language_code(sample, _CONFIDENCE)
    if found == "cmn":
        return _chinese_or_japanese(sample)
    return _CODES.get(found) if found in _LANGUAGES_BY_SCRIPT else None


def _chinese_or_japanese(text: str) -> str | None:
    """Return the language of ideographs by the character sets that contain them all; None when that decides nothing."""
    japanese, chinese = (any(_can_encode(codec, text) for codec in codecs) for codecs in (_JAPANESE, _CHINESE))
    if japanese == chinese:
        return None
    return "ja" if japanese else "zh"


def _can_encode(codec: str, text: str) -> bool:
    try:
        text.encode(codec)
    except UnicodeEncodeError:
        return False
    return True


def _is_prose(block: Block) -> bool:
    if block.kind not in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM):
        return False
    wide = sum(_WIDE[0] <= character <= _WIDE[1] for character in block.text[:_SAMPLE_CHARACTERS])
    return len(block.text) >= _PROSE_CHARACTERS or wide >= _WIDE_PROSE_CHARACTERS


def _sample(texts: Sequence[str]) -> str:
    """Return the beginnings of evenly spaced texts of the document."""
    step = max(1, len(texts) // _SAMPLES)
    return "\n".join(text[:_SAMPLE_CHARACTERS] for text in texts[::step][:_SAMPLES])
