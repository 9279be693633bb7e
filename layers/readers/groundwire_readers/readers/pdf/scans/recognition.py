"""Text recognition (OCR) of an image by the parser library's Tesseract: words with boxes and confidence."""

import asyncio
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import xberg

from groundwire_readers.ocr import OcrSettings
from groundwire_readers.text.stop_words import ENGLISH_STOP_WORDS

_TSV_COLUMNS: Final = 12
"""Number of columns of Tesseract's TSV output."""
_PAGE_LEVEL, _LINE_LEVEL, _WORD_LEVEL = "1", "4", "5"
"""Values of the column "level" of the rows for pages, lines and words."""
_READABLE_CONFIDENCE: Final = 65.0
"""Mean confidence of 100 from which text is readable: upright pages measured 82 to 96, rotated ones at most 50."""
_DOUBTFUL_CONFIDENCE: Final = 50.0
"""Mean confidence from which text is readable if enough of its words are stop words."""
_MIN_STOP_WORD_SHARE: Final = 0.15
"""Minimum share of stop words in sentences; noise that looks like short words measured at most .15."""
_MAX_FRAGMENT_SHARE: Final = 0.5
"""Share of words of at most two letters above which a page is noise; text measured at most .3."""
_NOISE_CONFIDENCE: Final = 30.0
"""Confidence below which a word without two letters or digits is noise."""
_ALPHANUMERIC: Final = re.compile(r"[^\W_]")
_ERRORS: Final = (RuntimeError, ValueError, xberg.XbergError)


@dataclass(frozen=True, slots=True)
class RecognisedWord:
    """Word that the recognition found, its box in pixels of the image, and its confidence from 0 to 100.

    Attributes:
        top, bottom: edges of the word's line, since letters differ in height.
    """

    text: str
    left: float
    top: float
    right: float
    bottom: float
    confidence: float


@dataclass(frozen=True, slots=True)
class RecognisedText:
    """The recognised words of an image.

    Attributes:
        width, height: size of the image, in pixels.
        words: the words in reading order, without noise.
        confidence: mean confidence of all words, weighted by their length.
        is_readable: whether the confidence is high enough to use the words.
    """

    width: float
    height: float
    words: tuple[RecognisedWord, ...]
    confidence: float
    is_readable: bool


def recognise_image(picture: bytes, settings: OcrSettings) -> RecognisedText | None:
    """Return the text recognised in a PNG image; None if it has no word or recognition fails."""
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

    Columns: level, page, block, paragraph, line, word, left, top, width, height, confidence, text.
    """
    size: tuple[float, float] | None = None
    top = bottom = 0.0
    words_with_noise: list[RecognisedWord] = []
    for row in tsv.splitlines():
        fields = row.split("\t")
        if len(fields) < _TSV_COLUMNS - 1:
            continue
        left, word_top, width, height, confidence = map(_number, fields[6:11])
        if fields[0] == _PAGE_LEVEL and size is None:
            size = width, height
        elif fields[0] == _LINE_LEVEL:
            top, bottom = word_top, word_top + height
        elif fields[0] == _WORD_LEVEL and len(fields) == _TSV_COLUMNS and (text := fields[11].strip()):
            words_with_noise.append(RecognisedWord(text, left, top, left + width, bottom, confidence))
    if size is None or not words_with_noise or min(size) <= 0:
        return None
    confidence = _mean_confidence(words_with_noise)
    words = tuple(word for word in words_with_noise if not _is_noise(word))
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
    return word.confidence < _NOISE_CONFIDENCE and len(_ALPHANUMERIC.findall(word.text)) < 2  # noqa: PLR2004 - a mark or a stroke


def _is_readable(words: Sequence[RecognisedWord], confidence: float) -> bool:
    if confidence < _DOUBTFUL_CONFIDENCE:
        return False
    texts = list(_comparable_words(words))
    if sum(len(text) <= 2 for text in texts) > _MAX_FRAGMENT_SHARE * len(texts):  # noqa: PLR2004 - a fragment of a word
        # A page of figures, such as a ledger, has short words alone.
        return confidence >= _READABLE_CONFIDENCE and any(text.isdigit() for text in texts)
    return confidence >= _READABLE_CONFIDENCE or sum(
        text in ENGLISH_STOP_WORDS for text in texts
    ) >= _MIN_STOP_WORD_SHARE * len(texts)


def _comparable_words(words: Sequence[RecognisedWord]) -> Iterator[str]:
    for word in words:
        yield "".join(_ALPHANUMERIC.findall(word.text)).lower()
