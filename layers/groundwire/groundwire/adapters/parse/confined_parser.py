"""Implementation of the ports `Parser` and `PageDrawer` by the readers' confined worker, with the domain's errors."""

import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

from groundwire.domain.errors import DocumentRefused, ParserBroken, ParserBusy, Unavailable
from groundwire_readers import ocr
from groundwire_readers.errors import OcrDataMissing, UnreadableDocument, WorkerNotStarted
from groundwire_readers.parser import WorkerParser

if TYPE_CHECKING:
    from groundwire_readers.contents.parsed import PagePicture, ParsedDocument


_WAIT_SECONDS: Final = 5.0
"""Wait for other pages: some twenty pages of print, or a part of one that takes its whole time."""
_RETRY_SECONDS: Final = 10


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
        with _translated_errors():
            return super().parse(content, file_type, with_images=with_images, with_thumbnails=with_thumbnails)

    def draw_page(self, content: bytes, page: int) -> "PagePicture":
        """Return the picture of a page of a PDF file; arguments as of the readers' parser.

        Raises:
            DocumentRefused: the file has no such page, or it cannot be drawn.
            ParserBroken: the worker does not start.
        """
        with _translated_errors():
            return super().draw_page(content, page)


class DrawersInTurn:
    """Implements `ports.ingestion.PageDrawers` and `PageDrawer` by one parser, which draws one page after the other.

    Whoever would wait too long is refused: a page that takes its whole time must not hold every thread of a server.
    """

    def __init__(self, parser: ConfinedParser, wait_seconds: float = _WAIT_SECONDS) -> None:
        self._parser = parser
        self._wait_seconds = wait_seconds
        self._turn = threading.Lock()

    def for_tenant(self, _tenant: str) -> Self:
        """Return this drawer: a worker keeps nothing of a page, so all tenants share it."""
        return self

    def draw_page(self, content: bytes, page: int) -> "PagePicture":
        """Return the picture of a page of a PDF file; arguments as of `ConfinedParser`.

        Raises:
            DocumentRefused: the file has no such page, or it cannot be drawn.
            ParserBusy: other pages are drawn.
            ParserBroken: the worker does not start.
        """
        if not self._turn.acquire(timeout=self._wait_seconds):
            raise ParserBusy("Other pages are drawn at this moment.", retry_after_s=_RETRY_SECONDS)
        try:
            return self._parser.draw_page(content, page)
        finally:
            self._turn.release()


@contextmanager
def _translated_errors() -> Generator[None]:
    try:
        yield
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
