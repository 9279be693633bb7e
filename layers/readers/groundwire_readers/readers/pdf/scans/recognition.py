"""Recognition of a page's picture by the Tesseract of the parser library: words with boxes and confidence."""

import asyncio
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import xberg

from groundwire_readers.ocr import OcrSettings
from groundwire_readers.text.stop_words import ENGLISH_STOP_WORDS

_COLUMNS: Final = 12
_PAGE, _LINE, _WORD = "1", "4", "5"
"""Levels of a row of Tesseract's TSV output."""
_READABLE: Final = 65.0
"""Mean confidence, of 100, from which a text is readable: upright pages measured 82 to 96, others at most 50."""
_DOUBTFUL: Final = 50.0
"""Mean confidence from which a page is readable if its words are those of a language."""
_STOP_WORD_SHARE: Final = 0.15
"""Share of stop words of a text in sentences; noise that looks like short words had at most .15."""
_FRAGMENT_SHARE: Final = 0.5
"""Share of words of at most two letters above which a page is noise: text has at most .3."""
_NOISE: Final = 30.0
"""Confidence below which a mark without two letters or digits is noise."""
_LETTERS: Final = re.compile(r"[^\W_]")
_ERRORS: Final = (RuntimeError, ValueError, xberg.XbergError)


@dataclass(frozen=True, slots=True)
class RecognisedWord:
    """A word, its place in pixels of the picture that was recognised, and the recognition's confidence, 0 to 100.

    Attributes:
        top, bottom: of the word's line, since letters differ in height.
    """

    text: str
    left: float
    top: float
    right: float
    bottom: float
    confidence: float


@dataclass(frozen=True, slots=True)
class RecognisedText:
    """The words of a picture.

    Attributes:
        width, height: of the picture, in the pixels that the words are placed in.
        words: in reading order, without noise.
        confidence: mean of all words, weighted by their length.
        is_readable: the words are those of the picture with enough certainty.
    """

    width: float
    height: float
    words: tuple[RecognisedWord, ...]
    confidence: float
    is_readable: bool


def recognise_picture(picture: bytes, settings: OcrSettings) -> RecognisedText | None:
    """Return the text of a PNG; None if it is missing or the picture cannot be read."""
    languages = list(settings.languages)
    # TSV has a box and a confidence for each word; the library's own text has neither.
    tesseract = xberg.TesseractConfig(
        language=languages, enable_table_detection=False, use_cache=False, min_confidence=0.0, output_format="tsv"
    )
    config = xberg.ExtractionConfig(
        use_cache=False,
        disable_ocr=False,
        ocr=xberg.OcrConfig(
            language=languages, tesseract_config=tesseract, tessdata_path=str(settings.tessdata_folder)
        ),
        enable_quality_processing=False,
        extraction_timeout_secs=None,
    )
    source = xberg.ExtractInput(kind=xberg.ExtractInputKind.BYTES, bytes=picture, mime_type="image/png")
    try:
        result = asyncio.run(xberg.extract(source, config))
    except _ERRORS:
        return None
    return read_tsv(result.results[0].content) if result.results else None


def read_tsv(tsv: str) -> RecognisedText | None:
    """Return the text of Tesseract's TSV output (its manual, "TSV output"); None without a page or a word.

    A row has: level, page, block, paragraph, line, word, left, top, width, height, confidence, text.
    """
    size: tuple[float, float] | None = None
    top = bottom = 0.0
    found: list[RecognisedWord] = []
    for row in tsv.splitlines():
        fields = row.split("\t")
        if len(fields) < _COLUMNS - 1:
            continue
        left, upper, width, height, confidence = map(_number, fields[6:11])
        if fields[0] == _PAGE and size is None:
            size = width, height
        elif fields[0] == _LINE:
            top, bottom = upper, upper + height
        elif fields[0] == _WORD and len(fields) == _COLUMNS and (text := fields[11].strip()):
            found.append(RecognisedWord(text, left, top, left + width, bottom, confidence))
    if size is None or not found or min(size) <= 0:
        return None
    confidence = _mean_confidence(found)
    words = tuple(word for word in found if not _is_noise(word))
    return RecognisedText(*size, words, confidence, bool(words) and _is_readable(words, confidence))


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0


def _mean_confidence(words: Sequence[RecognisedWord]) -> float:
    letters = sum(len(word.text) for word in words)
    return sum(max(0.0, word.confidence) * len(word.text) for word in words) / letters


def _is_noise(word: RecognisedWord) -> bool:
    return word.confidence < _NOISE and len(_LETTERS.findall(word.text)) < 2  # noqa: PLR2004 - a mark or a stroke


def _is_readable(words: Sequence[RecognisedWord], confidence: float) -> bool:
    if confidence < _DOUBTFUL:
        return False
    plain = list(_plain(words))
    if sum(len(text) <= 2 for text in plain) > _FRAGMENT_SHARE * len(plain):  # noqa: PLR2004 - a fragment of a word
        # A page of figures, such as a ledger, has short words alone.
        return confidence >= _READABLE and any(text.isdigit() for text in plain)
    return confidence >= _READABLE or sum(text in ENGLISH_STOP_WORDS for text in plain) >= _STOP_WORD_SHARE * len(plain)


def _plain(words: Sequence[RecognisedWord]) -> Iterator[str]:
    for word in words:
        yield "".join(_LETTERS.findall(word.text)).lower()
