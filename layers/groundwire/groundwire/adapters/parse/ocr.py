"""Text recognition (OCR) of scanned pages: in which languages, with which data, on which pages.

Its data comes from a package or the system's own packages; nothing is fetched when a document is read.
"""

import sysconfig
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from groundwire.domain.documents.parsed import Block, ParsedDocument
from groundwire.domain.errors import DocumentRefused, Unavailable
from groundwire.domain.limits import OCR_MAX_PAGES

SECONDS_PER_PAGE: Final = 20
"""What one page may take: five seconds is much for a slow machine, a page of small print is three times that."""
MIN_PAGE_CHARACTERS: Final = 20
"""A page with fewer has a stamp or a number on it, not text."""
_SYSTEM_FOLDERS: Final = (
    "/usr/share/tesseract-ocr/5/tessdata",
    "/usr/share/tessdata",
    "/usr/local/share/tessdata",
    "/opt/share/tessdata",
    "/opt/homebrew/share/tessdata",
)


@dataclass(frozen=True, slots=True)
class OcrSettings:
    """That pages without text are recognised.

    Attributes:
        languages: by Tesseract's names, such as "eng". tessdata_folder: folder that holds `<language>.traineddata` of each.
    """

    languages: tuple[str, ...]
    tessdata_folder: Path

    def __str__(self) -> str:
        return f"ocr-{'+'.join(self.languages)}"


@dataclass(frozen=True, slots=True)
class OcrPages:
    """The pages of a document, from 1, that are to be recognised."""

    settings: OcrSettings
    pages: tuple[int, ...]


class NoText(DocumentRefused):
    """A document of so many pages without any text on them."""

    def __init__(self, reason: str, page_count: int) -> None:
        super().__init__(reason)
        self.page_count = page_count


def find_ocr_settings(languages: Sequence[str], folder: Path | None) -> OcrSettings | None:
    """What these settings ask for; None where they name no language.

    Without a `folder`, the data is that of the `ocr` extra, else the system's.

    Raises:
        Unavailable: no folder has the data of all the languages.
    """
    if not languages:
        return None
    folders = [folder] if folder is not None else _folders()
    found = next((place for place in folders if _has(place, languages)), None)
    if found is None:
        files = ", ".join(f"{language}.traineddata" for language in languages)
        places = ", ".join(map(str, folders))
        raise Unavailable(
            f"Text recognition needs {files} in one of {places}: `pip install -e '.[ocr]'` for English or your "
            "system's packages (Debian: tesseract-ocr-eng), name the folder in GROUNDWIRE_TESSDATA, or set "
            "GROUNDWIRE_OCR=off."
        )
    return OcrSettings(tuple(languages), found)


def to_arguments(settings: OcrSettings | None) -> list[str]:
    """For the command that starts a worker; `from_arguments` reads them back."""
    return [] if settings is None else ["+".join(settings.languages), str(settings.tessdata_folder)]


def from_arguments(arguments: Sequence[str]) -> OcrSettings | None:
    """None where there are none."""
    if not arguments:
        return None
    languages, folder = arguments
    return OcrSettings(tuple(languages.split("+")), Path(folder))


def _folders() -> list[Path]:
    return [Path(sysconfig.get_path("data"), "share", "tessdata"), *map(Path, _SYSTEM_FOLDERS)]


def _has(folder: Path, languages: Sequence[str]) -> bool:
    return all((folder / f"{name}.traineddata").is_file() for name in languages)


def textless_pages(document: ParsedDocument) -> list[int]:
    """The pages, from 1, of a document that has pages, on which there is no text to speak of."""
    return textless_page_numbers(document.blocks, document.pages or 0) if document.pages_without_text else []


def textless_page_numbers(blocks: Iterable[Block], pages: int) -> list[int]:
    """Those of so many pages, from 1, on which the blocks have no text to speak of."""
    characters = Counter[int]()
    for block in blocks:
        characters[block.page or 0] += len(block.text)
    return [page for page in range(1, pages + 1) if characters[page] < MIN_PAGE_CHARACTERS]


def limit_ocr_pages(pages: Sequence[int]) -> tuple[int, ...]:
    """Those that are recognised."""
    return tuple(pages[:OCR_MAX_PAGES])
