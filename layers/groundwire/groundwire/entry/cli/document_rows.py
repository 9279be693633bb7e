"""Documents' records as lines for people, and pairs of documents."""

import json
from typing import TYPE_CHECKING, Final, cast

from groundwire.domain import metadata
from groundwire.entry.cli.console import Row
from groundwire.entry.rows import describe
from groundwire.services.duplicates import Pair

if TYPE_CHECKING:
    from collections.abc import Mapping

SEGMENT_COLUMNS: Final = ("ordinal", "pages", "headline", "uid")


def record_lines(record: Row) -> list[str]:
    """A record in words, a line each."""
    # "readers" says the same as the policy, in words.
    row = {field: value for field, value in record.items() if field not in {"policy", "passages"}}
    said = metadata.from_json(json.dumps(record["metadata"]))
    timings = cast("Mapping[str, float]", record["timings"])
    row["metadata"] = ", ".join(f"{name} = {_plain(value)}" for name, value in said.items())
    row["timings"] = ", ".join(f"{step} {seconds:.2f} s" for step, seconds in timings.items())
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
