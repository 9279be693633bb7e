"""Registry record of a document, its states, and its version token."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from operator import attrgetter
from typing import Final

from groundwire.domain.access.policy import Policy
from groundwire.domain.documents.metadata import Metadata, Value

UNDETERMINED_LANGUAGE: Final = "und"
"""Language code of a text whose language was neither given nor detected (ISO 639-2)."""
_DIGEST_CHARACTERS: Final = 32


class DocumentState(StrEnum):
    """State of a document; only `INDEXED` documents are searched and read.

    `QUEUED` and `PARSING` are a first ingestion that has not started, or not ended. `DELETING` is a tombstone whose
    rows and originals are still being removed, `DELETED` a tombstone without any.
    """

    QUEUED = "queued"
    PARSING = "parsing"
    INDEXED = "indexed"
    REFUSED = "refused"
    DELETING = "deleting"
    DELETED = "deleted"


TOMBSTONE_STATES: Final = frozenset({DocumentState.DELETING, DocumentState.DELETED})
"""States of a tombstone; callers do not learn which one."""
PENDING_STATES: Final = frozenset({DocumentState.QUEUED, DocumentState.PARSING})
"""States before the first content is known; such a record has little more than its source."""


@dataclass(frozen=True, slots=True)
class Document:
    """Registry record of a document: the authority for its policy, version and existence.

    Attributes:
        doc_id: chosen by the owner or generated; unique within the tenant, the same across versions.
        source_path: path of ingestion, the identity of a file without a chosen id; None for uploads.
        source_url: the document's own URL, if it has one; else search results link to the stored blob.
        blob: key of the stored original; None when there is none (refused and deleted documents).
        version: counts content changes, from 1; 0 for a document that never was indexed.
        policy_version: counts policy changes, from 1.
        content_hash: SHA-256 of the bytes, hex. recipe: parser, chunker and model that made the segments.
        reason: why its latest file was refused (an earlier version may still be searched); None otherwise.
        index_stale: index and blobs may differ from this record; the next reconciliation repairs them.
        created_at: epoch seconds.
        parent: the document whose attachment this is; policy and existence follow the parent's.
        windows: number of window vectors of its segments.
        timings: seconds by step ("parse", "embed", "index") of the current version.
        parser, model: names, with versions, of the parser and the model that made the segments.
        sketch: `domain.passages.minhash` of the whole text.
        policy_from_files: the policy comes from a policy file near the source, or is `NO_READERS` because there is
            none; it follows changes of such files.
        policy_overridden_at: time of the last manual override of the policy (epoch seconds), which takes precedence
            over policy files put earlier; 0: there was none, or it is no longer in force.
        started_version: a version of which rows or blobs may exist although it was never published; in an index with
            delayed visibility the highest started version, whose number no other content gets.
        rows_written_at: time of the latest write of its rows there (epoch seconds); 0: unknown, or still being written.
        images: number of images of the current version that can be found.
        deleted_source_digest: for a tombstone without a parent, `names_digest` of its collection and source path; empty
            unless it was deleted explicitly while its file stays. deleted_at: time of that deletion (epoch seconds).
    """

    doc_id: str
    collection: str
    source_file_name: str
    source_file_type: str
    source_path: str | None
    source_url: str | None
    blob: str | None
    title: str
    policy: Policy
    version: int
    policy_version: int
    state: DocumentState
    reason: str | None
    content_hash: str
    recipe: str
    segments: int
    pages: int | None
    pages_without_text: int
    size_bytes: int
    index_stale: bool
    created_at: float
    updated_at: float
    language: str = UNDETERMINED_LANGUAGE
    metadata: Metadata = field(default_factory=dict[str, Value])
    parent: str | None = None
    windows: int = 0
    timings: Mapping[str, float] = field(default_factory=dict[str, float])
    parser: str = ""
    model: str = ""
    sketch: bytes = b""
    policy_from_files: bool = False
    started_version: int = 0
    rows_written_at: float = 0.0
    policy_overridden_at: float = 0.0
    deleted_source_digest: str = ""
    deleted_at: float = 0.0
    images: int = 0

    @property
    def version_token(self) -> tuple[object, ...]:
        """Values of `VERSION_TOKEN_FIELDS`; a conditional write succeeds only if the stored record still has them."""
        return tuple(_version_token(self))


VERSION_TOKEN_FIELDS: Final = (
    "version",
    "state",
    "policy_version",
    "policy_overridden_at",
    "started_version",
    "rows_written_at",
)
"""Fields that change with each manual override, also with one that repeats the policy, and with each started version.
"""
_version_token: Final = attrgetter(*VERSION_TOKEN_FIELDS)


def names_digest(*names: str | None) -> str:
    """Return a digest of the names in this order, for names that are too long for a key or must not be stored."""
    return hashlib.sha256(json.dumps(names).encode()).hexdigest()[:_DIGEST_CHARACTERS]
