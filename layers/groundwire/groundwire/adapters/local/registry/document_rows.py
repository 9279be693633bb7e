"""A document as a row of the table `documents`."""

import sqlite3
from typing import Final

from groundwire.adapters.local.registry.columns import from_policy, to_policy
from groundwire.domain.documents import Document, DocumentState

COLUMNS: Final = (
    "doc_id",
    "collection",
    "source_file_name",
    "source_file_type",
    "source_path",
    "source_url",
    "blob",
    "title",
    "policy",
    "version",
    "policy_version",
    "state",
    "reason",
    "content_hash",
    "recipe",
    "segments",
    "pages",
    "pages_without_text",
    "size_bytes",
    "index_stale",
    "created_at",
    "updated_at",
)


def to_row(document: Document) -> tuple[object, ...]:
    """The values of `COLUMNS`."""
    return (
        document.doc_id,
        document.collection,
        document.source_file_name,
        document.source_file_type,
        document.source_path,
        document.source_url,
        document.blob,
        document.title,
        from_policy(document.policy),
        document.version,
        document.policy_version,
        document.state.value,
        document.reason,
        document.content_hash,
        document.recipe,
        document.segments,
        document.pages,
        document.pages_without_text,
        document.size_bytes,
        document.index_stale,
        document.created_at,
        document.updated_at,
    )


def from_row(row: sqlite3.Row) -> Document:
    """The record that `to_row` took apart."""
    return Document(
        doc_id=row["doc_id"],
        collection=row["collection"],
        source_file_name=row["source_file_name"],
        source_file_type=row["source_file_type"],
        source_path=row["source_path"],
        source_url=row["source_url"],
        blob=row["blob"],
        title=row["title"],
        policy=to_policy(row["policy"]),
        version=row["version"],
        policy_version=row["policy_version"],
        state=DocumentState(row["state"]),
        reason=row["reason"],
        content_hash=row["content_hash"],
        recipe=row["recipe"],
        segments=row["segments"],
        pages=row["pages"],
        pages_without_text=row["pages_without_text"],
        size_bytes=row["size_bytes"],
        index_stale=bool(row["index_stale"]),
        created_at=row["created_at"],
        updated_at=row["updated_at"],
    )
