"""Documents' records as lines for people, and pairs of documents."""

from typing import Final

from groundwire.domain import metadata
from groundwire.domain.documents import Document
from groundwire.entry.cli.console import Row
from groundwire.entry.rows import describe, record_row
from groundwire.services.duplicates import Pair

SEGMENT_COLUMNS: Final = ("ordinal", "pages", "headline", "uid")


def record_lines(document: Document) -> list[str]:
    """A record in words, a line each."""
    row = record_row(document)
    del row["policy"]  # "readers" says the same in words
    row["metadata"] = ", ".join(f"{name} = {_plain(value)}" for name, value in document.metadata.items())
    row["timings"] = ", ".join(f"{step} {seconds:.2f} s" for step, seconds in document.timings.items())
    return [f"{field.replace('_', ' '):<20} {'-' if value in (None, '') else value}" for field, value in row.items()]


def pair_row(pair: Pair) -> Row:
    """Two documents side by side."""
    return {
        "resemblance": round(pair.resemblance, 2),
        "file": pair.first.source_file_name,
        "doc_id": pair.first.doc_id,
        "collection": pair.first.collection,
        "readers": describe(pair.first.policy),
        "other_file": pair.second.source_file_name,
        "other_doc_id": pair.second.doc_id,
        "other_collection": pair.second.collection,
        "other_readers": describe(pair.second.policy),
    }


def _plain(value: metadata.Value) -> str:
    """As an option or a file would say it."""
    match value:
        case bool():
            return "true" if value else "false"
        case tuple():
            return f"[{', '.join(map(_plain, value))}]"
        case _:
            return str(value).removesuffix(".0") if isinstance(value, float) else str(value)
