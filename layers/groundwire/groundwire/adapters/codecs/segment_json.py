"""Segment as members of a JSON object: in index exports, and in the rows of OpenSearch.

Other releases have written these names: they do not change when a field is renamed.
"""

import base64
from collections.abc import Mapping
from typing import Any

from groundwire.domain.documents.segment import Segment


def to_members(segment: Segment) -> dict[str, Any]:
    """Write the members that `from_members` reads; digests of rows depend on their order.

    Token sums and raw values are none of them: the first release refuses members that it does not know.
    """
    return {
        "uid": segment.uid,
        "doc_id": segment.doc_id,
        "version": segment.version,
        "collection": segment.collection,
        "ordinal": segment.ordinal,
        "text": segment.text,
        "heading_path": segment.heading_path,
        "page_first": segment.page_first,
        "page_last": segment.page_last,
        "headline": segment.headline,
        "summary": segment.summary,
        "title": segment.title,
        "language": segment.language,
        "keywords": segment.keywords,
        "context": segment.context,
        "questions": segment.questions,
        "sketch": base64.b64encode(segment.sketch).decode(),
    }


def with_later_members(members: Mapping[str, Any], segment: Segment) -> Mapping[str, Any]:
    """Return the members with token sums and raw values, for a place that the first release does not read."""
    sums = {"token_sums": base64.b64encode(segment.token_sums).decode()} if segment.token_sums else {}
    return {**members, **sums, **({"raw_values": segment.raw_values} if segment.raw_values else {})}


def from_members(members: Mapping[str, Any]) -> Segment:
    """Read the segment; ignore members that a later release adds.

    Raises:
        KeyError, TypeError, ValueError: the members are not those of a segment.
    """
    return Segment(
        uid=members["uid"],
        doc_id=members["doc_id"],
        version=members["version"],
        collection=members["collection"],
        ordinal=members["ordinal"],
        text=members["text"],
        heading_path=tuple(members["heading_path"]),
        page_first=members["page_first"],
        page_last=members["page_last"],
        headline=members["headline"],
        summary=members["summary"],
        title=members.get("title", ""),
        language=members.get("language", "en"),
        keywords=tuple(members.get("keywords", ())),
        context=members.get("context", ""),
        questions=tuple(members.get("questions", ())),
        sketch=base64.b64decode(members["sketch"]),
        token_sums=base64.b64decode(members.get("token_sums", "")),
        raw_values=tuple(members.get("raw_values", ())),
    )
