"""Detection of a text's encoding and language by the parser library."""

import asyncio

import xberg
from xberg import _xberg as native  # pyright: ignore[reportPrivateUsage] - it has the types of the results

from groundwire_readers.errors import UnreadableDocument


def extract_plain_text(content: bytes) -> str:
    """Return the words of a text file in its detected encoding; whitespace is not preserved.

    Raises:
        UnreadableDocument: the library does not take it for a text.
    """
    return _extract(content, language=None).content


def detect_language_code(text: str, confidence: float) -> str | None:
    """Return the language (ISO 639-3) detected with at least this confidence (0 to 1); None if it is uncertain."""
    detector = xberg.LanguageDetectionConfig(enabled=True, min_confidence=confidence, detect_multiple=False)
    languages = _extract(text.encode(errors="replace"), language=detector).detected_languages
    return languages[0] if languages else None


def _extract(content: bytes, language: xberg.LanguageDetectionConfig | None) -> native.ExtractedDocument:
    config = xberg.ExtractionConfig(use_cache=False, disable_ocr=True, language_detection=language)
    source = xberg.ExtractInput(kind=xberg.ExtractInputKind.BYTES, bytes=content, mime_type="text/plain")
    try:
        result = asyncio.run(xberg.extract(source, config))
    except (RuntimeError, ValueError, xberg.XbergError) as error:
        raise UnreadableDocument("its text cannot be read: save it as UTF-8") from error
    if not result.results:
        raise UnreadableDocument("its text cannot be read: save it as UTF-8")
    return result.results[0]
