"""Implementation of the port `Parser` by the readers' confined worker, with the errors of the domain."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from groundwire.domain.errors import DocumentRefused, ParserBroken, Unavailable
from groundwire_readers import ocr
from groundwire_readers.errors import OcrDataMissing, UnreadableDocument, WorkerNotStarted
from groundwire_readers.parser import WorkerParser

if TYPE_CHECKING:
    from groundwire_readers.contents.parsed import ParsedDocument


class ConfinedParser(WorkerParser):
    """Parser that runs in a confined process; thread-safe, one document at a time."""

    def parse(
        self, content: bytes, file_type: str, *, with_images: bool = False, with_thumbnails: bool = False
    ) -> "ParsedDocument":
        """Return the document's blocks, text normalised; arguments as of the readers' parser.

        Raises:
            DocumentRefused: the document cannot be read, with a reason its owner can act on.
            ParserBroken: the worker does not start.
        """
        try:
            return super().parse(content, file_type, with_images=with_images, with_thumbnails=with_thumbnails)
        except UnreadableDocument as error:
            raise DocumentRefused(str(error)) from error
        except WorkerNotStarted as error:
            raise ParserBroken(str(error), remedy="run_doctor") from error


def find_ocr_settings(languages: Sequence[str], folder: Path | None) -> ocr.OcrSettings | None:
    """Return the settings for these languages; None without any.

    Without a `folder`, the data is that of the `ocr` extra, else the system's.

    Raises:
        Unavailable: no folder has the data of all the languages.
    """
    try:
        return ocr.find_ocr_settings(languages, folder)
    except OcrDataMissing as error:
        raise Unavailable(str(error)) from error
