"""Readers of documents: bytes to text blocks, tables and images, in a confined worker process."""

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from groundwire_readers.contents.parsed import (
        Attachment,
        Block,
        BlockKind,
        ImageLeftOut,
        PagePicture,
        ParsedDocument,
        ParsedImage,
        ReadingDefect,
        WordBox,
    )
    from groundwire_readers.errors import OcrDataMissing, ReadingError, UnreadableDocument, WorkerNotStarted
    from groundwire_readers.ocr import OcrSettings, find_ocr_settings
    from groundwire_readers.one_document import draw_page, read
    from groundwire_readers.parser import PARSER_REVISION, WorkerParser
    from groundwire_readers.sandbox.probe import confinement_report
    from groundwire_readers.sandbox.processes.process import ParserLimits
    from groundwire_readers.text.normalisation import normalise

__version__ = "0.1.0"

__all__ = [
    "PARSER_REVISION",
    "Attachment",
    "Block",
    "BlockKind",
    "ImageLeftOut",
    "OcrDataMissing",
    "OcrSettings",
    "PagePicture",
    "ParsedDocument",
    "ParsedImage",
    "ParserLimits",
    "ReadingDefect",
    "ReadingError",
    "UnreadableDocument",
    "WordBox",
    "WorkerNotStarted",
    "WorkerParser",
    "confinement_report",
    "draw_page",
    "find_ocr_settings",
    "normalise",
    "read",
]

_MODULES: Final = {
    "Attachment": "contents.parsed",
    "Block": "contents.parsed",
    "BlockKind": "contents.parsed",
    "ImageLeftOut": "contents.parsed",
    "OcrDataMissing": "errors",
    "OcrSettings": "ocr",
    "PARSER_REVISION": "parser",
    "PagePicture": "contents.parsed",
    "ParsedDocument": "contents.parsed",
    "ParsedImage": "contents.parsed",
    "ParserLimits": "sandbox.processes.process",
    "ReadingDefect": "contents.parsed",
    "ReadingError": "errors",
    "UnreadableDocument": "errors",
    "WordBox": "contents.parsed",
    "WorkerNotStarted": "errors",
    "WorkerParser": "parser",
    "confinement_report": "sandbox.probe",
    "draw_page": "one_document",
    "find_ocr_settings": "ocr",
    "normalise": "text.normalisation",
    "read": "one_document",
}
"""Modules of the public names: each is loaded with the first use of a name, as a cold start waits for every import."""


def __getattr__(name: str) -> object:
    """Return a public name after loading its module.

    Raises:
        AttributeError: the package has no such name.
    """
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = value
    return value
