"""Registry record of a document: its facts, the state of its ingestion, and the mark of its index."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from operator import attrgetter
from typing import Final

from groundwire.domain.access.policy import Policy, Readers
from groundwire.domain.access.policy_source import Ceiling, PolicySource, SourcedPolicy
from groundwire.domain.documents.deletion import NO_DELETION, Deletion
from groundwire.domain.documents.metadata import Metadata, Value
from groundwire.domain.documents.source_file import NO_CONTRIBUTOR, Contributor, SourceFile
from groundwire_readers.contents.parsed import ReadingDefect

UNDETERMINED_LANGUAGE: Final = "und"
"""Language code of a text whose language was neither given nor detected (ISO 639-2)."""
_DIGEST_CHARACTERS: Final = 32


class DocumentState(StrEnum):
    """State of a document; only `INDEXED` documents are searched and read.

    `QUEUED`, `PARSING` and `WAITING` are a first ingestion that has not started, or not ended; `WAITING` has the reason
    why the parser did not take it yet. `FAILED` had no parser that could read it, and no attempt follows by itself.
    `DELETING` is a tombstone whose rows and originals are still being removed, `DELETED` a tombstone without any.
    """

    QUEUED = "queued"
    PARSING = "parsing"
    WAITING = "waiting"
    FAILED = "failed"
    INDEXED = "indexed"
    REFUSED = "refused"
    DELETING = "deleting"
    DELETED = "deleted"


TOMBSTONE_STATES: Final = frozenset({DocumentState.DELETING, DocumentState.DELETED})
"""States of a tombstone; callers do not learn which one."""
PENDING_STATES: Final = frozenset({DocumentState.QUEUED, DocumentState.PARSING, DocumentState.WAITING})
"""States before the first content is known; such a record has little more than its source."""
STARTABLE_STATES: Final = frozenset({DocumentState.QUEUED, DocumentState.WAITING, DocumentState.FAILED})
"""States of a record that becomes `PARSING` as soon as its file is read."""


class RefusalCause(StrEnum):
    """Cause for which the latest file was not ingested, where a later step depends on it.

    `CONTENT`: the file itself. `SIDECAR_FILE`: a policy or metadata file, whose change has the file read again.
    `UPLOAD_ORDER`: it was put in the second of its document's deletion. `INTERRUPTED`: the process ended before.
    `PARSER_BUSY`: it waits for the parser. `PARSER_BROKEN`: no parser read it, and none tries again by itself.
    """

    CONTENT = "content"
    SIDECAR_FILE = "sidecar_file"
    UPLOAD_ORDER = "upload_order"
    INTERRUPTED = "interrupted"
    PARSER_BUSY = "parser_busy"
    PARSER_BROKEN = "parser_broken"


PARSER_CAUSES: Final = frozenset({RefusalCause.PARSER_BUSY, RefusalCause.PARSER_BROKEN})
"""Causes that lie in the parser, so that the same file may be read later."""


class FailedStep(StrEnum):
    """Step that failed while the current version was made; the version is searched, and the next run makes it again.

    `ENRICHMENT`: summaries and questions of its passages. `IMAGES`: its pictures. `ATTACHMENTS`: one ended the parser.
    """

    ENRICHMENT = "enrichment"
    IMAGES = "images"
    ATTACHMENTS = "attachments"


@dataclass(frozen=True, slots=True)
class Refusal:
    """Record that a document's latest file was refused; an earlier version may still be searched.

    Attributes:
        reason: for its owner.
    """

    cause: RefusalCause
    reason: str


@dataclass(frozen=True, slots=True)
class Ingestion:
    """State of a document's ingestion.

    Attributes:
        refusal: of its latest file; None otherwise.
        started_version: a version of which rows or blobs may exist although it was never published; in an index with
            delayed visibility the highest started version, whose number no other content gets.
    """

    state: DocumentState
    refusal: Refusal | None = None
    started_version: int = 0


@dataclass(frozen=True, slots=True)
class IndexSync:
    """Mark of whether index and blobs agree with the record.

    Attributes:
        is_stale: they may differ; the next reconciliation repairs them.
        rows_written_at: time of the latest write of its rows in an index with delayed visibility (epoch seconds); 0:
            unknown, or still being written.
    """

    is_stale: bool
    rows_written_at: float = 0.0


@dataclass(frozen=True, slots=True)
class Document:
    """Registry record of a document: the authority for its policy, version and existence.

    Attributes:
        doc_id: chosen by the owner or generated; unique within the tenant, the same across versions.
        source_path: path of ingestion, the identity of a file without a chosen id; None for uploads.
        source_url: the document's own URL, if it has one; else search results link to the stored blob.
        blob: key of the stored original; None when there is none (refused and deleted documents).
        version: counts content changes, from 1; 0 for a document that never was indexed.
        policy: declared policy; who may read is decided by `readers`, which has the ceiling as well.
        ceiling: limit that a person set beside the declared policy; None: there is none.
        policy_version: counts changes of the readers, and decisions of a person about them, from 1.
        content_hash: SHA-256 of the bytes, hex. recipe: parser, chunker and model that made the segments.
        created_at: epoch seconds.
        ingestion, sync: change by the transitions of `domain.documents.changes.lifecycle` alone.
        parent: the document whose attachment this is; policy and existence follow the parent's.
        windows: number of window vectors of its segments.
        timings: seconds by step ("parse", "embed", "index") of the current version.
        parser, model: names, with versions, of the parser and the model that made the segments.
        sketch: `domain.passages.minhash` of the whole text.
        policy_overridden_at: time of the last manual override of the policy (epoch seconds), which takes precedence
            over what was declared earlier; 0: there was none, or it is no longer in force.
        images: number of images of the current version that can be found.
        defects: number of each defect of its reading.
        failed_step: step of the current version that failed; None where each succeeded.
        deletion: for a tombstone, the deletion by a person; empty where its file was removed.
        contributor: who contributed the current version; the same user with another key does not change it.
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
    policy_source: PolicySource
    ceiling: Ceiling | None
    version: int
    policy_version: int
    ingestion: Ingestion
    sync: IndexSync
    content_hash: str
    recipe: str
    segments: int
    pages: int | None
    pages_without_text: int
    size_bytes: int
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
    policy_overridden_at: float = 0.0
    deletion: Deletion = NO_DELETION
    images: int = 0
    defects: Mapping[ReadingDefect, int] = field(default_factory=dict[ReadingDefect, int])
    failed_step: FailedStep | None = None
    contributor: Contributor = NO_CONTRIBUTOR

    @property
    def state(self) -> DocumentState:
        """State of its ingestion."""
        return self.ingestion.state

    @property
    def reason(self) -> str | None:
        """Reason why its latest file was refused; None otherwise."""
        return None if self.ingestion.refusal is None else self.ingestion.refusal.reason

    @property
    def sourced_policy(self) -> SourcedPolicy:
        """Declared policy with its source, and the ceiling."""
        return SourcedPolicy(self.policy, self.policy_source, self.policy_overridden_at, self.ceiling)

    @property
    def readers(self) -> Readers:
        """Readers of the document: each needs the declared policy and the ceiling."""
        return Readers(self.policy, None if self.ceiling is None else self.ceiling.policy)

    @property
    def next_version(self) -> int:
        """Number of its next version; no index has rows of it."""
        return max(self.version, self.ingestion.started_version) + 1

    @property
    def version_token(self) -> tuple[object, ...]:
        """Values of `VERSION_TOKEN_FIELDS`; a conditional write succeeds only if the stored record still has them."""
        return tuple(_version_token(self))


@dataclass(frozen=True, slots=True)
class IndexedContent:
    """Content of one version, as its record describes it.

    Attributes:
        blob: key of the original. timings: seconds by step.
    """

    version: int
    title: str
    blob: str
    content_hash: str
    recipe: str
    segments: int
    windows: int
    images: int
    defects: Mapping[ReadingDefect, int]
    failed_step: FailedStep | None
    pages: int | None
    pages_without_text: int
    size_bytes: int
    language: str
    metadata: Metadata
    parser: str
    model: str
    sketch: bytes


VERSION_TOKEN_FIELDS: Final = (
    "version",
    "ingestion.state",
    "policy_version",
    "policy_overridden_at",
    "ingestion.started_version",
    "sync.rows_written_at",
)
"""Fields that change with each manual override, also with one that repeats the policy, and with each started version.

`policy_version` also changes with each ceiling that is set, replaced or lifted.
"""
_version_token: Final = attrgetter(*VERSION_TOKEN_FIELDS)


def names_digest(*names: str | None) -> str:
    """Return a digest of the names in this order, for names that are too long for a key or must not be stored."""
    return hashlib.sha256(json.dumps(names).encode()).hexdigest()[:_DIGEST_CHARACTERS]


def new_document(doc_id: str, file: SourceFile, now: float, state: DocumentState) -> Document:
    """Return the first record of a file, for which only the source is known."""
    return Document(
        doc_id=doc_id,
        collection=file.collection,
        source_file_name=file.name,
        source_file_type=file.file_type,
        source_path=file.path,
        source_url=file.source_url,
        blob=None,
        title=file.name,
        policy=file.policy.policy,
        policy_source=file.policy.source,
        ceiling=file.policy.ceiling,
        version=0,
        policy_version=1,
        ingestion=Ingestion(state),
        sync=IndexSync(is_stale=True),
        content_hash="",
        recipe="",
        segments=0,
        pages=None,
        pages_without_text=0,
        size_bytes=0,
        created_at=now,
        updated_at=now,
        parent=file.parent,
        policy_overridden_at=file.policy.overridden_at,
        contributor=file.contributor,
    )
