"""What is stored: tenants' collections, their documents, and the segments that answers quote."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from operator import attrgetter
from typing import Final

from groundwire.domain.access import Policy
from groundwire.domain.metadata import Metadata, Value

UNDETERMINED: Final = "und"
"""The language of a text that nobody named and no detector was sure of (ISO 639-2)."""
_DIGEST_CHARACTERS: Final = 32


@dataclass(frozen=True, slots=True)
class Collection:
    """A named part of a tenant's documents with its own fusion weight.

    Attributes:
        bm25_weight: share of the BM25 signal, 0 to 1; the vector signal gets the rest.
        language: ISO 639-1, of all its documents; None: detected in each.
    """

    name: str
    bm25_weight: float
    language: str | None = None


class BlockKind(StrEnum):
    """What a parser saw: the chunker treats each kind differently."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    CODE = "code"
    TABLE = "table"


@dataclass(frozen=True, slots=True)
class Block:
    """One unit of a parsed document, in reading order, text normalised.

    Attributes:
        level: 1 is the outermost heading; 0 for everything that is not a heading.
        page: 1-based page, slide or sheet; None where the format has none.
        rows: the cells of a table, header row first; empty for other kinds.
        group: sheet or slide that the block belongs to; a segment never spans two groups.
    """

    kind: BlockKind
    text: str
    level: int = 0
    page: int | None = None
    rows: tuple[tuple[str, ...], ...] = ()
    group: int | None = None


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file within a file, such as a mail's; a document of its own under the policy of what carries it."""

    name: str
    content: bytes


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """What a parser makes of a file's bytes.

    Attributes:
        media_type: what the bytes are, as sniffed, e.g. "application/pdf".
        title: from the document's own metadata or first heading; None when it has neither, so that its file's name
            stands for it; empty where that would say nothing, either.
        pages: number of pages, slides or sheets; None where the format has none.
        pages_without_text: pages on which nothing but images was found.
        language: ISO 639-1; None where the detector is not sure.
        front_matter: what the file says of itself in a header of its own, as it was written there.
    """

    media_type: str
    title: str | None
    blocks: tuple[Block, ...]
    pages: int | None
    pages_without_text: int
    language: str | None = None
    front_matter: Mapping[str, object] = field(default_factory=dict[str, object])
    attachments: tuple[Attachment, ...] = ()


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage cut from a document: at most `limits.SEGMENT_MAX_CHARACTERS` of text.

    Attributes:
        heading_path: headings above the passage, outermost first.
        page_first: first page it stands on; None where the format has no pages.
    """

    ordinal: int
    text: str
    heading_path: tuple[str, ...]
    page_first: int | None
    page_last: int | None


@dataclass(frozen=True, slots=True)
class Segment:
    """A passage as it is indexed and quoted.

    Attributes:
        uid: `<doc_id>.<hash>`; the same for unchanged text across versions of the document.
        version: the document's version this row belongs to; only the current one may answer.
        ordinal: position within the document, from 0.
        headline: at most ten words. summary: one to three sentences.
        title: the document's. language: ISO 639-1, or `UNDETERMINED`.
        context: where the passage stands, in an enricher's words; searched, never shown.
        questions: that the passage answers, by an enricher; searched, never shown.
        sketch: `domain.sketches` of the text, for finding near-duplicates; empty where none was made.
    """

    uid: str
    doc_id: str
    version: int
    collection: str
    ordinal: int
    text: str
    heading_path: tuple[str, ...]
    page_first: int | None
    page_last: int | None
    headline: str
    summary: str
    title: str = ""
    language: str = "en"
    keywords: tuple[str, ...] = ()
    context: str = ""
    questions: tuple[str, ...] = ()
    sketch: bytes = b""


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


DEAD: Final = frozenset({DocumentState.DELETING, DocumentState.DELETED})
"""A tombstone in either of its states: nobody is told which."""
UNBEGUN: Final = frozenset({DocumentState.QUEUED, DocumentState.PARSING})
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
        sketch: `domain.sketches` of the whole text.
        policy_from_files: the policy is that of a policy file near its source, or nobody's for want of one, and
            follows when such a file changes.
        policy_given_at: when its policy was last given by hand (epoch seconds), which goes before what files say that
            were put earlier; 0: it is not in force any more, or there was none.
        begun_version: a version of which something may be there although it was never named; in an index that shows
            rows late the highest ever begun: no other content gets its number.
        last_rows_at: when its latest rows were written there (epoch seconds); 0: not known, or they are being written.
        deleted_from: of a tombstone, `names_digest` of the collection and path that it came from, and of no parent;
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
    language: str = UNDETERMINED
    metadata: Metadata = field(default_factory=dict[str, Value])
    parent: str | None = None
    windows: int = 0
    timings: Mapping[str, float] = field(default_factory=dict[str, float])
    parser: str = ""
    model: str = ""
    sketch: bytes = b""
    policy_from_files: bool = False
    begun_version: int = 0
    last_rows_at: float = 0.0
    policy_given_at: float = 0.0
    deleted_from: str = ""
    deleted_at: float = 0.0

    @property
    def stand(self) -> tuple[object, ...]:
        """What must still be so for whoever changes a record that was read before: the values of `STAND`."""
        return tuple(_STAND(self))


STAND: Final = ("version", "state", "policy_version", "policy_given_at", "begun_version", "last_rows_at")
"""Every word by hand is in them, also one that says what was so before, and every version that is being made."""
_STAND: Final = attrgetter(*STAND)


def names_digest(*names: str | None) -> str:
    """Stands for the names, in this order: they may be longer than a key, hold anything, and are not to be kept."""
    return hashlib.sha256(json.dumps(names).encode()).hexdigest()[:_DIGEST_CHARACTERS]
