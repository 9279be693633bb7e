"""A worker whose answer is the largest that the parser function takes: text as JSON, and attachments."""

from importlib import import_module
from typing import Final

from groundwire.adapters.parse.function.limits import TEXT_BYTES
from groundwire_readers.contents.limits import MAX_DOCUMENT_BYTES
from groundwire_readers.contents.parsed import Attachment, Block, BlockKind, ParsedDocument
from groundwire_readers.ocr import OcrPages
from groundwire_readers.sandbox.processes.worker import ParseFunction, serve

_BLOCKS: Final = 150_000
_FRAME: Final = 60
"""More bytes than the JSON of a block has beside its text, and than that of an attachment beside its content."""
_ATTACHMENTS: Final = 10


def _read(_content: bytes, _file_type: str, _pages: OcrPages | None) -> ParsedDocument:
    text = "x" * (TEXT_BYTES // _BLOCKS - _FRAME)
    blocks = tuple(Block(BlockKind.PARAGRAPH, f"{number:06d}{text}") for number in range(_BLOCKS))
    content = b"x" * (MAX_DOCUMENT_BYTES // _ATTACHMENTS)
    attachments = tuple(Attachment(f"{number}.txt", content) for number in range(_ATTACHMENTS))
    return ParsedDocument("text/plain", None, blocks, None, 0, attachments=attachments)


def _load() -> ParseFunction:
    # The memory of a real worker holds the readers.
    import_module("groundwire_readers.dispatch")
    return _read


if __name__ == "__main__":
    serve(_load)
