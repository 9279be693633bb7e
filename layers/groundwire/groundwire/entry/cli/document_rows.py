"""A document's record, as JSON and as lines for people."""

import json
from typing import Final

from groundwire.domain import metadata
from groundwire.domain.documents import Document, Segment
from groundwire.entry.cli.console import Row, moment
from groundwire.entry.cli.policy_options import describe
from groundwire.services.duplicates import Pair

SEGMENT_COLUMNS: Final = ("ordinal", "pages", "headline", "uid")


def record_row(document: Document) -> dict[str, object]:
    """Everything that the registry keeps."""
    policy = document.policy
    return {
        "doc_id": document.doc_id,
        "collection": document.collection,
        "file": document.source_file_name,
        "title": document.title,
        "type": document.source_file_type,
        "language": document.language,
        "state": document.state.value,
        "reason": document.reason,
        "parent": document.parent,
        "segments": document.segments,
        "windows": document.windows,
        "pages": document.pages,
        "pages_without_text": document.pages_without_text,
        "version": document.version,
        "readers": describe(policy),
        "policy": {
            "public": policy.public,
            "users": sorted(policy.users),
            "any_tags": sorted(policy.any_tags),
            "all_tags": sorted(policy.all_tags),
        },
        "policy_version": document.policy_version,
        "metadata": json.loads(metadata.to_json(document.metadata)),
        "source_path": document.source_path,
        "source_url": document.source_url,
        "content_hash": document.content_hash,
        "recipe": document.recipe,
        "parser": document.parser,
        "model": document.model,
        "timings": dict(document.timings),
        "size_bytes": document.size_bytes,
        "created_at": moment(document.created_at),
        "updated_at": moment(document.updated_at),
    }


def record_lines(document: Document) -> list[str]:
    """The same in words, a line each."""
    row = record_row(document)
    del row["policy"]  # "readers" says the same in words
    row["metadata"] = ", ".join(f"{name} = {_plain(value)}" for name, value in document.metadata.items())
    row["timings"] = ", ".join(f"{step} {seconds:.2f} s" for step, seconds in document.timings.items())
    return [f"{field.replace('_', ' '):<20} {'-' if value in (None, '') else value}" for field, value in row.items()]


def segment_row(segment: Segment) -> Row:
    """A passage without its text, which answers quote."""
    return {
        "ordinal": segment.ordinal,
        "uid": segment.uid,
        "page_first": segment.page_first,
        "page_last": segment.page_last,
        "pages": _pages(segment),
        "heading_path": list(segment.heading_path),
        "headline": segment.headline,
        "summary": segment.summary,
        "keywords": list(segment.keywords),
        "language": segment.language,
        "characters": len(segment.text),
    }


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


def _pages(segment: Segment) -> str | None:
    if segment.page_first is None or segment.page_first == segment.page_last:
        return None if segment.page_first is None else str(segment.page_first)
    return f"{segment.page_first}-{segment.page_last}"


def _plain(value: metadata.Value) -> str:
    """As an option or a file would say it."""
    match value:
        case bool():
            return "true" if value else "false"
        case tuple():
            return f"[{', '.join(map(_plain, value))}]"
        case _:
            return str(value).removesuffix(".0") if isinstance(value, float) else str(value)
