"""Detection of a document's language from its prose: lists of links and tables of names would mislead a detector."""

import re
from collections.abc import Sequence
from typing import Final

from groundwire_readers.contents.parsed import Block, BlockKind
from groundwire_readers.readers.encodings import detection

_CONFIDENCE: Final = 0.9
"""Minimum confidence; below it the detector takes "hello world" for Dutch and German sentences for Afrikaans."""
_PROSE_CHARACTERS: Final = 40
_WIDE_PROSE_CHARACTERS: Final = 8
"""Minimum length of a sentence in Chinese, Japanese and Korean, which are shorter."""
_SAMPLES: Final = 60
_SAMPLE_CHARACTERS: Final = 250
"""Texts of a long document, and of each its beginning, in the sample; a document of few texts gives more of each.
"""
_WIDE: Final = ("\u1100", "\U0003ffff")
_LANGUAGES_BY_SCRIPT: Final = frozenset(["jpn", "kor", "ell", "heb", "tha", "hye", "kat"])
"""Languages that can be detected from names alone, by their script."""
_EAST_ASIAN: Final = re.compile("[\u3041-\u3096\u30a1-\u30fa\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff]")
_KANA: Final = re.compile("[\u3041-\u3096\u30a1-\u30fa]")
_LETTER: Final = re.compile(r"[^\W\d_]")
_MIN_EAST_ASIAN: Final = 1 / 3
"""Share of the letters: Chinese prose may have more letters of Latin names and abbreviations than of its own."""
_RUSSIAN: Final = re.compile("[\u044b\u044d]")
_NOT_RUSSIAN: Final = re.compile("[\u0456\u0457\u0454\u045e\u0491]")
"""Letters that Russian and Belarusian have, and letters that Belarusian and Ukrainian have."""
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
        return _language_of_prose(_sample(prose))
    sample = _sample([block.text for block in blocks])
    found = detection.detect_language_code(sample, _CONFIDENCE)
    # The detector calls any few ideographs Chinese.
    if found == "cmn":
        return _chinese_or_japanese(sample)
    return _CODES.get(found) if found in _LANGUAGES_BY_SCRIPT else None


def _language_of_prose(text: str) -> str | None:
    """Return the detected language; letters that only few languages have decide where the detector is misled."""
    found = _CODES.get(detection.detect_language_code(text, _CONFIDENCE) or "")
    letters, east_asian = len(_LETTER.findall(text)), len(_EAST_ASIAN.findall(text))
    if found not in ("zh", "ja") and east_asian > letters * _MIN_EAST_ASIAN:
        return "ja" if _KANA.search(text) else "zh"
    if found is None and _RUSSIAN.search(text) and not _NOT_RUSSIAN.search(text):
        return "ru"
    return found


def _chinese_or_japanese(text: str) -> str | None:
    """Return the language of ideographs by the character sets that contain them all; None when that decides nothing."""
    japanese, chinese = (any(_can_encode(codec, text) for codec in codecs) for codecs in (_JAPANESE, _CHINESE))
    # The two have most ideographs in common: only one that a set lacks decides.
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
    sampled = texts[::step][:_SAMPLES]
    length = max(_SAMPLE_CHARACTERS, _SAMPLES * _SAMPLE_CHARACTERS // max(len(sampled), 1))
    return "\n".join(text[:length] for text in sampled)
