"""What the use cases need of the world. Every adapter of a port passes the same contract suite.

Each method may raise `errors.Unavailable` when the store behind it does not answer; anything else it may
raise is named. Nothing that identifies a tenant has a default.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Literal, Protocol

from groundwire.domain.access import Policy, Principal
from groundwire.domain.credentials import Admission, ApiKey, Tenant
from groundwire.domain.documents import Collection, Document, ParsedDocument, Segment
from groundwire.domain.fusion import PhraseScores

Vector = bytes
"""A unit vector: float32, little-endian, `4 * dimension` bytes; bytes so that no caller needs numpy."""

Clock = Callable[[], float]
"""Epoch seconds."""


@dataclass(frozen=True, slots=True)
class ModelId:
    """Which embedding model made a vector; vectors of two models are never compared."""

    name: str
    dimension: int


class Embedder(Protocol):
    """Texts to unit vectors."""

    @property
    def model(self) -> ModelId:
        """The model whose vectors these are."""
        ...

    def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> list[Vector]:
        """One vector per text, in order, in one batched call; texts beyond the model's window are cut."""
        ...


@dataclass(frozen=True, slots=True)
class SegmentInput:
    """A segment to be indexed with its vector (of heading path and text)."""

    segment: Segment
    vector: Vector


@dataclass(frozen=True, slots=True)
class Phrase:
    """One search phrase and its vector."""

    text: str
    vector: Vector


@dataclass(frozen=True, slots=True)
class DocumentVersion:
    """Which version of a document an index row belongs to."""

    doc_id: str
    version: int


class Index(Protocol):
    """The segments of one tenant: hybrid search under an access filter.

    Rows are keyed by (segment uid, document version), so that a new version is complete in the index
    before the registry names it current, and a crash in between leaves the old one answering.
    """

    def put(self, document: DocumentVersion, policy: Policy, segments: Sequence[SegmentInput]) -> None:
        """All rows of this version of the document are in the index, durably; repeating it changes nothing."""
        ...

    def prune(self, doc_id: str, keep_version: int | None) -> int:
        """Only rows of `keep_version` remain of the document (None: no rows); returns how many went."""
        ...

    def set_policy(self, doc_id: str, policy: Policy) -> None:
        """All rows of the document stand under `policy`."""
        ...

    def vectors(self, doc_id: str) -> Mapping[str, Vector]:
        """Vectors of the document's rows by segment uid, so that unchanged text is not embedded twice."""
        ...

    def search(
        self, principal: Principal, collections: Sequence[str], phrases: Sequence[Phrase], depth: int
    ) -> list[PhraseScores]:
        """Per phrase, candidates of `collections` that `principal` may read, `depth` per signal.

        The access rule filters before the candidates are chosen, so a selective filter loses no hit. No
        collection means no candidate.
        """
        ...

    def read(self, keys: Sequence[int | str]) -> Mapping[int | str, Segment]:
        """The segments of these rows by key; rows that have gone are left out."""
        ...

    def segments(self, document: DocumentVersion) -> list[Segment]:
        """The segments of this version of the document, by ordinal."""
        ...

    def count(self) -> int:
        """How many rows there are."""
        ...


class Indexes(Protocol):
    """One index per tenant."""

    def of(self, tenant: str) -> Index:
        """The tenant's index, made on first use.

        Raises:
            Conflict: the index was built with another embedding model.
        """
        ...

    def drop(self, tenant: str) -> int:
        """The tenant's index is gone; returns how many rows it had."""
        ...


class Keys(Protocol):
    """API keys; secrets are known only by digest (`domain.keys.digest`)."""

    def add(self, key: ApiKey, digest: bytes) -> None:
        """Raises Conflict when the kid is taken."""
        ...

    def admit(self, kid: str, digest: bytes, now: float) -> Admission:
        """Checks digest, revocation and expiry, and spends one call of the key's and the tenant's rate.

        One atomic step: of concurrent calls never more are admitted than the rate allows, and a refused
        call spends nothing.
        """
        ...

    def get(self, tenant: str, kid: str) -> ApiKey | None:
        """The key, revoked and expired ones included; None when the tenant has none of that kid."""
        ...

    def all(self, tenant: str) -> list[ApiKey]:
        """By creation time."""
        ...

    def rotate(self, tenant: str, kid: str, digest: bytes, previous_until: float) -> None:
        """`digest` is current, the one before works until `previous_until`; Raises NotFound."""
        ...

    def revoke(self, tenant: str, kid: str) -> None:
        """No later `admit` succeeds; Raises NotFound."""
        ...


class Tenants(Protocol):
    """The operator's list of tenants."""

    def add(self, tenant: Tenant) -> None:
        """Raises Conflict when the name is taken."""
        ...

    def get(self, tenant: str) -> Tenant | None:
        """The tenant of this id, or None."""
        ...

    def all(self) -> list[Tenant]:
        """By name."""
        ...

    def delete(self, tenant: str) -> Mapping[str, int]:
        """All registry rows of the tenant are gone; returns how many of each kind (keys, users, …)."""
        ...


class Users(Protocol):
    """Tags that a tenant keeps for its users, for agents that send only a user."""

    def set(self, tenant: str, user: str, tags: frozenset[str]) -> None:
        """The user's entry is exactly `tags`."""
        ...

    def tags(self, tenant: str, user: str) -> frozenset[str] | None:
        """None when the tenant keeps no entry for the user."""
        ...

    def all(self, tenant: str) -> list[tuple[str, frozenset[str]]]:
        """By user."""
        ...

    def delete(self, tenant: str, user: str) -> None:
        """Raises NotFound."""
        ...


class Collections(Protocol):
    """The collections of a tenant."""

    def put(self, tenant: str, collection: Collection) -> None:
        """The collection exists with these settings, made or changed."""
        ...

    def all(self, tenant: str) -> list[Collection]:
        """By name."""
        ...

    def delete(self, tenant: str, name: str) -> None:
        """Raises NotFound."""
        ...


class Documents(Protocol):
    """The document registry: strongly consistent, the truth about policy, version and existence."""

    def read(self, tenant: str, doc_ids: Sequence[str]) -> Mapping[str, Document]:
        """The records of these documents, tombstones included, in one consistent read; unknown ids are absent."""
        ...

    def write(self, tenant: str, document: Document, expected: Document | None) -> None:
        """The record is durable.

        Raises:
            Conflict: the stored record's version or policy_version is no longer `expected`'s (None: it
                exists already).
        """
        ...

    def by_source_path(self, tenant: str, collection: str, source_path: str) -> Document | None:
        """The living (indexed or refused) document that was ingested from this path."""
        ...

    def by_content(self, tenant: str, collection: str, content_hash: str) -> list[Document]:
        """The living documents with this content."""
        ...

    def all(self, tenant: str, collection: str | None) -> list[Document]:
        """Living documents by name; of every collection when `collection` is None."""
        ...

    def stale(self, tenant: str) -> list[Document]:
        """Records, tombstones included, whose `index_stale` is set."""
        ...


class Blobs(Protocol):
    """Stored originals."""

    def put(self, tenant: str, key: str, content: bytes) -> None:
        """The content is stored durably, whole or not at all."""
        ...

    def get(self, tenant: str, key: str) -> bytes:
        """Raises NotFound."""
        ...

    def delete(self, tenant: str, key: str) -> None:
        """No error when it is gone already."""
        ...

    def drop(self, tenant: str) -> int:
        """All of the tenant's blobs are gone; returns how many there were."""
        ...


class IngestLock(Protocol):
    """One ingestion at a time per tenant, over all processes."""

    def hold(self, tenant: str) -> AbstractContextManager[None]:
        """Waits until no other holder is left; freed even when the holder dies."""
        ...

    def drop(self, tenant: str) -> None:
        """Nothing of a tenant that is gone remains of the lock; called by its holder."""
        ...


class Audit(Protocol):
    """One line per call, chained: each line holds the hash of the one before."""

    def append(self, record: Mapping[str, object]) -> None:
        """The line is written before this returns; never raises for what `record` holds."""
        ...


class Parser(Protocol):
    """Bytes of a document to blocks, in a confined worker."""

    @property
    def version(self) -> str:
        """Names the parser and its version; part of the recipe that decides whether to parse again."""
        ...

    def parse(self, content: bytes, file_type: str) -> ParsedDocument:
        """The document's blocks, text normalised.

        Raises:
            DocumentRefused: the document cannot be read, with a reason its owner can act on.
        """
        ...


class Seal(Protocol):
    """Authenticated encryption of small payloads that travel through other hands."""

    def seal(self, purpose: str, payload: bytes) -> str:
        """A URL-safe token that only `unseal` with the same purpose opens."""
        ...

    def unseal(self, purpose: str, token: str) -> bytes | None:
        """The payload, or None for anything that was not sealed here for this purpose."""
        ...
