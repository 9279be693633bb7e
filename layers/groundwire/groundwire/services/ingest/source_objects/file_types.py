"""File types that ingestion accepts, by the extension of a file's name."""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from groundwire_readers.text.normalisation import normalise

READABLE_EXTENSIONS: Final = frozenset({
    *("pdf", "docx", "pptx", "xlsx", "xls", "odt", "odp", "ods", "rtf", "epub"),
    *("docm", "dotx", "dotm", "pptm", "ppsx", "ppsm", "potx", "potm", "xlsm", "xltx", "xltm"),
    *("html", "htm", "xhtml", "md", "markdown", "txt", "text", "csv", "tsv"),
    *("eml", "msg", "json", "jsonl", "ndjson", "xml", "nxml"),
})  # fmt: skip
"""Extensions of the types that the parser reads, without dot, lower case."""
LEGACY_OFFICE_EXTENSIONS: Final = frozenset({"doc", "dot", "ppt", "pps", "pot"})
"""Extensions of old Office files: they are refused one by one, as the reason states how to convert them."""
_MAX_SHOWN: Final = 12


def is_readable_type(name: str) -> bool:
    """Return whether a file of this name is ingested, also where nobody named it; other types are left out unread.

    Old Office files count: they are refused with a reason that states what to do.
    """
    extension = _extension(name)
    return extension in READABLE_EXTENSIONS or extension in LEGACY_OFFICE_EXTENSIONS


def describe_types(names: Iterable[str]) -> str:
    """Return how many of the files have which type, the most frequent first, as `12 .css, 3 .js`; empty without any."""
    counts = Counter(_shown_extension(name) for name in names)
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{number:,} {shown}" for shown, number in ordered)


def _shown_extension(name: str) -> str:
    """Return a short text for the extension; names come from anybody, so an odd one is not shown."""
    extension = _extension(name)
    if not extension:
        return "without an extension"
    is_plain = extension.isascii() and extension.isalnum() and len(extension) <= _MAX_SHOWN
    return f".{extension}" if is_plain else "of other types"


def _extension(name: str) -> str:
    """Return the extension of a name or path as the parser receives it: without dot, lower case, visible characters."""
    stem, dot, extension = name.rpartition("/")[2].rpartition(".")
    if not (stem and dot):
        return ""
    lowered = extension.lower()
    return lowered if lowered in READABLE_EXTENSIONS else normalise(lowered)
