"""Parser that reads no content: it refuses what name and size already show, for plans."""

from typing import TYPE_CHECKING, Final

from groundwire.domain.errors import DocumentRefused
from groundwire_readers.contents.parsed import ParsedDocument
from groundwire_readers.errors import UnreadableDocument
from groundwire_readers.formats import declared_format

if TYPE_CHECKING:
    from groundwire.ports import Parser, Parsers

_UNREAD: Final = ParsedDocument(media_type="", title=None, blocks=(), pages=None, pages_without_text=0)


class FormatCheck:
    """Check of formats in the place of the given parsers; implements `ports.Parsers`."""

    def __init__(self, parsers: "Parsers") -> None:
        self._parsers = parsers

    @property
    def version(self) -> str:
        """Name and version of the parser that a run would use."""
        return self._parsers.version

    @property
    def ocr_version(self) -> str:
        """Name of the text recognition that a run would use."""
        return self._parsers.ocr_version

    def for_tenant(self, _tenant: str, /) -> "Parser":
        """Return this check."""
        return self

    def parse(
        self,
        content: bytes,
        file_type: str,
        *,
        with_images: bool = False,  # noqa: ARG002 - the port's
        with_thumbnails: bool = False,  # noqa: ARG002 - the port's
    ) -> ParsedDocument:
        """Return a document without text.

        Raises:
            DocumentRefused: the file is empty, or of a type that is not read.
        """
        try:
            declared_format(content, file_type)
        except UnreadableDocument as error:
            raise DocumentRefused(str(error)) from error
        return _UNREAD
