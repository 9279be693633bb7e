"""Detection of a text's encoding and language by the parser library."""

import asyncio

import xberg
from xberg import _xberg as native  # pyright: ignore[reportPrivateUsage] - it has the types of the results

from groundwire_readers.errors import UnreadableDocument


def extract_plain_text(content: bytes) -> str:
    """Return the words of a text file, its encoding detected; white space is not preserved.

    Raises:
        UnreadableDocument: the library does not take it for a text.
    """
    return _plain(content, language=None).content


def detect_language_code(text: str, confidence: float) -> str | None:
    """Return the language (ISO 639-3) that is detected with at least this confidence, 0 to 1; None without one."""
    detector = xberg.LanguageDetectionConfig(enabled=True, min_confidence=confidence, detect_multiple=False)
    found = _plain(text.encode(errors="replace"), language=detector).detected_languages
    return found[0] if found else None


def _plain(content: bytes, language: xberg.LanguageDetectionConfig | None) -> native.ExtractedDocument:
    config = xberg.ExtractionConfig(use_cache=False, disable_ocr=True, language_detection=language)
    source = xberg.ExtractInput(kind=xberg.ExtractInputKind.BYTES, bytes=content, mime_type="text/plain")
    try:
        result = asyncio.run(xberg.extract(source, config))
    except (RuntimeError, ValueError, xberg.XbergError) as error:
        raise UnreadableDocument("its text cannot be read: save it as UTF-8") from error
    if not result.results:
        raise UnreadableDocument("its text cannot be read: save it as UTF-8")
    return result.results[0]
