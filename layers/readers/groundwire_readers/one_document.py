"""Reading of one document, by a worker of its own; for many documents, keep one `WorkerParser`."""

from groundwire_readers.contents.parsed import PagePicture, ParsedDocument
from groundwire_readers.parser import WorkerParser
from groundwire_readers.sandbox.processes.process import ParserLimits


def read(content: bytes, extension: str, limits: ParserLimits) -> ParsedDocument:
    """Return the document.

    Args:
        content: the file's bytes.
        extension: the file's, without its dot.
        limits: of the document and of the worker.

    Raises:
        UnreadableDocument: the document cannot be read, with a reason its owner can act on.
        WorkerNotStarted: the worker does not start.
    """
    with WorkerParser(limits) as parser:
        return parser.parse(content, extension)


def draw_page(content: bytes, page: int, limits: ParserLimits) -> PagePicture:
    """Return the picture of a page of a PDF file as displayed, and the places of its words.

    Args:
        content: the file's bytes.
        page: its number, from 1.
        limits: of the page and of the worker.

    Raises:
        UnreadableDocument: the file has no such page, or it cannot be drawn.
        WorkerNotStarted: the worker does not start.
    """
    with WorkerParser(limits) as parser:
        return parser.draw_page(content, page)
