"""What is stored: tenants' collections, their documents, and the segments that answers quote."""

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
"""The language of a text that nobody named and no detector was sure of (ISO 639-2)."""
_DIGEST_CHARACTERS: Final = 32


class DocumentState(StrEnum):
    """Where a document stands; only `INDEXED` answers.

    `QUEUED` and `PARSING` are a first ingestion that has not begun, or not come to its end. `DELETING` is a
    tombstone whose rows and originals are still being removed, `DELETED` one of which nothing else remains.
    """

    QUEUED = "queued"
    PARSING = "parsing"
    INDEXED = "indexed"
    REFUSED = "refused"
    DELETING = "deleting"
    DELETED = "deleted"


TOMBSTONE_STATES: Final = frozenset({DocumentState.DELETING, DocumentState.DELETED})
"""A tombstone in either of its states: nobody is told which."""
PENDING_STATES: Final = frozenset({DocumentState.QUEUED, DocumentState.PARSING})
"""Nothing of such a document is known but where it lies."""


@dataclass(frozen=True, slots=True)
class Document:
    """The registry's record of a document: the truth about its policy, version and existence.

    Attributes:
        doc_id: chosen by the owner or made; unique within the tenant, kept across versions.
        source_path: where it was ingested from, the identity of a file without a chosen id; None for uploads.
        source_url: the document's own URL, if it has one; else answers link to the stored blob.
        blob: key of the stored original; None when none is kept (refused and deleted documents).
        version: counts content changes, from 1; 0 for a document that never was indexed.
        policy_version: counts policy changes, from 1.
        content_hash: SHA-256 of the bytes, hex. recipe: parser, chunker and model that made the segments.
        reason: why its latest file was refused (an earlier version may still answer); None otherwise.
        index_stale: index and blobs may not be what this record says; the next ingestion repairs them.
        created_at: epoch seconds.
        parent: the document that carries it as an attachment; its policy and existence follow the parent's.
        windows: how many window vectors its segments have.
        timings: seconds by step ("parse", "embed", "index") of the version that answers.
        parser, model: what made its segments, with versions.
        sketch: `domain.passages.minhash` of the whole text.
        policy_from_files: the policy is that of a policy file near its source, or nobody's for want of one, and
            follows when such a file changes.
        policy_overridden_at: when its policy was last given by hand (epoch seconds), which goes before what files say that
            were put earlier; 0: it is not in force any more, or there was none.
        started_version: a version of which something may be there although it was never named; in an index that shows
            rows late the highest ever begun: no other content gets its number.
        rows_written_at: when its latest rows were written there (epoch seconds); 0: not known, or they are being written.
        deleted_source_digest: of a tombstone, `names_digest` of the collection and path that it came from, and of no parent;
            empty where nobody deleted it but its file was gone. deleted_at: when that was (epoch seconds).
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

    @property
    def version_token(self) -> tuple[object, ...]:
        """What must still be so for whoever changes a record that was read before: the values of `STAND`."""
        return tuple(_version_token(self))


VERSION_TOKEN_FIELDS: Final = (
    "version",
    "state",
    "policy_version",
    "policy_overridden_at",
    "started_version",
    "rows_written_at",
)
"""Every word by hand is in them, also one that says what was so before, and every version that is being made."""
_version_token: Final = attrgetter(*VERSION_TOKEN_FIELDS)


def names_digest(*names: str | None) -> str:
    """Stands for the names, in this order: they may be longer than a key, hold anything, and are not to be kept."""
    return hashlib.sha256(json.dumps(names).encode()).hexdigest()[:_DIGEST_CHARACTERS]
