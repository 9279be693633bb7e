"""Work of the parser function: read a document by its address, parse it in its own worker, store the result.

A page is drawn in the same way as a document is parsed.
"""

import logging
from collections.abc import Callable
from typing import Final, Protocol

from groundwire.adapters.parse.confined_parser import ConfinedParser
from groundwire.adapters.parse.function.messages import ParseInvocation
from groundwire.adapters.parse.function.own_process import Descendants
from groundwire.adapters.parse.function.presigned import PresignedObjects
from groundwire.adapters.parse.function.results import encode_document, encode_picture, encode_refusal
from groundwire.domain.errors import DocumentRefused
from groundwire_readers.contents.limits import MAX_DOCUMENT_BYTES

_LOG: Final = logging.getLogger(__name__)


class Cleanup(Protocol):
    """End of a document's remaining processes, and a check of what it changed."""

    def __call__(self, fork_server: int | None, /) -> Descendants:
        """End them, but not the fork server with this id; return their number, and what is left."""
        ...


class DocumentParsing:
    """Parsing of one document after the other, each by a new worker.

    Args:
        objects: where the documents come from and the results go to.
        make_parser: makes a parser without a running worker, which is kept for all documents.
        end_descendants: ends the processes that outlived their worker.
    """

    def __init__(
        self, objects: PresignedObjects, make_parser: Callable[[], ConfinedParser], end_descendants: Cleanup
    ) -> None:
        self._objects = objects
        self._make_parser = make_parser
        self._parser: ConfinedParser | None = None
        self._end_descendants = end_descendants

    def __call__(self, invocation: ParseInvocation) -> bool:
        """Parse the document and store its result; return whether it left this process as it was.

        False after a crash, a limit that was reached or a process that outlived its worker: the file may have attacked.

        Raises:
            InvalidInput, Unavailable: the bucket does not give the document, or does not take the result.
            ParserBroken: the worker does not start.
        """
        # First, so that a document that is not there costs no process.
        content = self._objects.read(invocation.content_url, MAX_DOCUMENT_BYTES)
        if self._parser is None:
            self._parser = self._make_parser()
        parser = self._parser
        lost_before = parser.lost_workers
        try:
            result = _parsed(parser, content, invocation)
        finally:
            try:
                parser.end_worker()
            finally:
                is_alone = self._is_alone(parser.fork_server_pid)
        is_clean = is_alone and parser.lost_workers == lost_before
        # After the cleanup, so that no process of the document is left to change the result.
        self._objects.write(invocation.result_url, invocation.result_headers, result)
        return is_clean

    def close(self) -> None:
        """End the parser; a later document starts it again."""
        if self._parser is not None:
            self._parser.close()

    def _is_alone(self, fork_server: int | None) -> bool:
        """End what the document left behind; return whether it left nothing."""
        found = self._end_descendants(fork_server)
        if found.left:
            _LOG.error("a document left something behind", extra={"reason": found.left})
        return found == Descendants(0, "")


def _parsed(parser: ConfinedParser, content: bytes, invocation: ParseInvocation) -> bytes:
    try:
        if invocation.page:
            return encode_picture(invocation.nonce, parser.version, parser.draw_page(content, invocation.page))
        document = parser.parse(
            content,
            invocation.file_type,
            with_images=invocation.with_images,
            with_thumbnails=invocation.with_thumbnails,
        )
    except DocumentRefused as refusal:
        return encode_refusal(invocation.nonce, parser.version, refusal)
    return encode_document(invocation.nonce, parser.version, document)
