"""One tenant's embedded index."""

import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from groundwire.adapters.local.index.access_mask import AccessMaskBuilder
from groundwire.adapters.local.index.arrays.dtypes import I64, Bools
from groundwire.adapters.local.index.candidates import NO_CANDIDATES, CandidateRequest, find_candidates
from groundwire.adapters.local.index.compaction import CompactionResult, compact
from groundwire.adapters.local.index.document_samples import outdated_documents, sample_documents, sample_fields
from groundwire.adapters.local.index.snapshots.follower import SnapshotFollower
from groundwire.adapters.local.index.snapshots.snapshot import Snapshot
from groundwire.adapters.local.index.snapshots.statistics import build_access_statistics
from groundwire.adapters.local.index.snapshots.window_reader import gather_windows, read_stored_windows
from groundwire.adapters.local.index.store import writer
from groundwire.adapters.local.index.store.file import IndexFile
from groundwire.adapters.local.index.store.rows import to_segment, to_vector, to_vectors
from groundwire.adapters.local.index.vectors.windows import SentenceWindows
from groundwire.domain import errors
from groundwire.domain.access.policy import Policy, Principal
from groundwire.domain.documents.metadata import NO_METADATA, Metadata
from groundwire.domain.documents.segment import Segment
from groundwire.domain.filters.field_types import FieldType
from groundwire.domain.search.fusion import PhraseScores
from groundwire.domain.search.request import ALL_DOCUMENTS
from groundwire.ports import (
    DocumentVersion,
    Hits,
    IndexQuery,
    ModelId,
    RowKey,
    SegmentInput,
    SegmentVectors,
    SelectRows,
    Span,
)

_AFTER_HEX_DIGITS: Final = "g"
"""Character that sorts after those in which uids end."""


class EmbeddedIndex:
    """An `Index` in one SQLite file, searched in memory; every search sees all that was written before it.

    Any number of threads and processes may use one file at once.

    Args:
        path: path of the file.
        tenant: tenant of the index.
        model: model of a file that is created here, or a function that returns it.

    Raises:
        Unavailable: the folder cannot be used, or the file is damaged.
        Conflict: an older or a newer Groundwire wrote the file.
    """

    def __init__(self, path: Path, tenant: str, model: ModelId | Callable[[], ModelId]) -> None:
        self._tenant = tenant
        self._file = IndexFile(path, model)
        self._dimension = self._file.model.dimension
        self._access_masks = AccessMaskBuilder()
        self._follower = SnapshotFollower(self._file)

    @property
    def path(self) -> Path:
        """Path of the file."""
        return self._file.path

    @property
    def model(self) -> ModelId:
        """Model of the stored vectors."""
        return self._file.model

    @property
    def visible_after_seconds(self) -> int:
        """Return 0: the next search sees every write."""
        return 0

    def put(
        self,
        document: DocumentVersion,
        policy: Policy,
        segments: Sequence[SegmentInput],
        metadata: Metadata = NO_METADATA,
    ) -> None:
        """Store all rows of this version of the document durably; repeating it changes nothing.

        Raises:
            InvalidInput: a vector is not of the index's model, or a segment not of `document`.
            Conflict: a uid belongs to another document.
        """
        rows = writer.build_rows(document, segments, self._dimension)
        with self._file.write_transaction() as connection:
            writer.put(connection, document, policy, metadata, rows)

    def prune(self, doc_id: str, keep_version: int | None, keep_from_version: int | None = None) -> int:
        """Delete the document's rows but those of `keep_version` and from `keep_from_version` on; return the number."""
        with self._file.write_transaction() as connection:
            return writer.prune(connection, doc_id, keep_version, keep_from_version)

    def set_policy(self, doc_id: str, policy: Policy) -> None:
        """Set the policy of all rows of the document."""
        with self._file.write_transaction() as connection:
            writer.set_policy(connection, doc_id, policy)

    def vectors(self, doc_id: str) -> Mapping[str, SegmentVectors]:
        """Return vectors by segment uid, rounded to half precision; putting one again stores the same."""
        with self._file.read_transaction() as connection:
            found = connection.execute(
                "SELECT uid, vector, coalesce(vectors, x'') FROM segments JOIN vectors USING (id) "
                "LEFT JOIN windows USING (id) WHERE doc_id = ?",
                (doc_id,),
            )
            return {
                uid: SegmentVectors(to_vector(passage), to_vectors(windows, self._dimension))
                for uid, passage, windows in found
            }

    def search(self, query: IndexQuery, select: SelectRows) -> Hits:
        """Find and score candidates, and read the segments of those that `select` chooses, in one transaction.

        Raises:
            Forbidden: the principal belongs to another tenant.
            InvalidInput: a phrase's vector is not of the index's model.
        """
        self._check_tenant(query.principal)
        if not (query.phrases and query.collections and query.documents):
            return Hits([NO_CANDIDATES] * len(query.phrases), {})
        with self._file.read_transaction() as connection:
            scores = self._score(connection, query)
            return Hits(scores, _read_segments(connection, select(scores)))

    def sample_documents(
        self, principal: Principal, collections: Sequence[str], excluded: frozenset[str], most: int
    ) -> Mapping[str, Sequence[str]]:
        """Return ids of documents of each collection of which a row's policy admits the principal.

        Raises:
            Forbidden: the principal belongs to another tenant.
        """
        self._check_tenant(principal)
        with self._file.read_transaction() as connection:
            snapshot, _ = self._follower.current(connection)
            mask = self._access_masks.readable(principal, frozenset(collections), snapshot)
            if excluded:
                mask = mask & ~_document_mask(connection, snapshot, excluded)
            return sample_documents(connection, snapshot, mask, most)

    def sample_fields(
        self, principal: Principal, collections: Sequence[str], most: int
    ) -> Mapping[str, Mapping[FieldType, Sequence[str]]]:
        """Return by field and type ids of documents of which a row's policy admits the principal.

        Raises:
            Forbidden: the principal belongs to another tenant.
        """
        self._check_tenant(principal)
        with self._file.read_transaction() as connection:
            snapshot, _ = self._follower.current(connection)
            mask = self._access_masks.readable(principal, frozenset(collections), snapshot)
            return sample_fields(connection, snapshot, self._access_masks.columns, mask, most)

    def outdated_documents(self, after: str, most: int) -> Sequence[str]:
        """Return ids of documents with rows whose fields have an earlier form, ascending."""
        with self._file.read_transaction() as connection:
            return outdated_documents(connection, after, most)

    def segments(self, document: DocumentVersion) -> list[Segment]:
        """Return the segments of this version of the document, by ordinal."""
        with self._file.read_transaction() as connection:
            found = connection.execute(
                "SELECT * FROM segments WHERE doc_id = ? AND version = ? ORDER BY ordinal, id",
                (document.doc_id, document.version),
            )
            return [to_segment(row[1:]) for row in found]

    def read_spans(self, spans: Sequence[Span]) -> list[list[Segment]]:
        """Return the segments of each span, by ordinal."""
        with self._file.read_transaction() as connection:
            found = [
                connection.execute(
                    "SELECT * FROM segments WHERE doc_id = ? AND version = ? AND ordinal BETWEEN ? AND ? "
                    "ORDER BY ordinal, id",
                    (span.document.doc_id, span.document.version, span.first, span.last),
                ).fetchall()
                for span in spans
            ]
        return [[to_segment(row[1:]) for row in rows] for rows in found]

    def find(self, document: DocumentVersion, uid_start: str) -> Segment | None:
        """Return the first segment of this version whose uid begins so, or is this; None where there is none."""
        with self._file.read_transaction() as connection:
            found = connection.execute(
                "SELECT * FROM segments WHERE uid >= ? AND uid < ? AND version = ? AND doc_id = ? ORDER BY ordinal",
                (uid_start, uid_start + _AFTER_HEX_DIGITS, document.version, document.doc_id),
            ).fetchone()
            return None if found is None else to_segment(found[1:])

    def count_version_rows(self, document: DocumentVersion) -> int:
        """Return the number of rows of this version of the document."""
        with self._file.read_transaction() as connection:
            found = connection.execute(
                "SELECT count(*) FROM segments WHERE doc_id = ? AND version = ?", (document.doc_id, document.version)
            )
            return int(found.fetchone()[0])

    def count_rows_by_version(self) -> Mapping[DocumentVersion, int]:
        """Return the number of rows of each version of each document."""
        with self._file.read_transaction() as connection:
            rows = connection.execute("SELECT doc_id, version, count(*) FROM segments GROUP BY doc_id, version")
            return {DocumentVersion(doc_id, version): number for doc_id, version, number in rows}

    def count_rows(self) -> int:
        """Return the number of rows."""
        with self._file.read_transaction() as connection:
            return int(connection.execute("SELECT count(*) FROM segments").fetchone()[0])

    def compact(self) -> CompactionResult:
        """Free the disk space that the rows do not need, while others search and write.

        Raises:
            Unavailable: the file does not answer.
        """
        return compact(self._file)

    def is_in_place(self) -> bool:
        """Return whether the file that is open here is still the tenant's index."""
        return self._file.is_in_place()

    def close(self) -> None:
        """Wait for operations in progress and close; using the index afterwards raises Unavailable."""
        self._follower.close()
        self._file.close()

    def _check_tenant(self, principal: Principal) -> None:
        if principal.tenant != self._tenant:
            raise errors.Forbidden("This index belongs to another tenant.")

    def _score(self, connection: sqlite3.Connection, query: IndexQuery) -> list[PhraseScores]:
        """Return the candidates of each phrase as of the connection's transaction."""
        snapshot, bm25 = self._follower.current(connection)

        def windows_of(rows: I64) -> SentenceWindows:
            return gather_windows(snapshot, rows, lambda ids: read_stored_windows(connection, ids, self._dimension))

        statistics = bm25.statistics_cache.get(
            (query.principal, query.granted),
            lambda: build_access_statistics(
                snapshot, self._access_masks.readable(query.principal, query.granted, snapshot)
            ),
        )
        mask = self._access_masks.narrow(statistics.readable, query.collections, query.where, snapshot)
        if query.documents != ALL_DOCUMENTS:
            mask = mask & _document_mask(connection, snapshot, query.documents)
        request = CandidateRequest(query.phrases, query.collections, statistics, mask, query.mode, query.depth)
        return find_candidates(snapshot, bm25, windows_of, request)


def _document_mask(connection: sqlite3.Connection, snapshot: Snapshot, doc_ids: frozenset[str]) -> Bools:
    """Return which rows of the snapshot belong to these documents."""
    found = connection.execute(
        "SELECT id FROM segments WHERE doc_id IN (SELECT value FROM json_each(?))", (json.dumps(sorted(doc_ids)),)
    )
    return np.isin(snapshot.ids, np.array([row[0] for row in found], np.int64))


def _read_segments(connection: sqlite3.Connection, keys: Sequence[RowKey]) -> dict[RowKey, Segment]:
    """Return the segments of these rows by key, without those of keys that no row has."""
    ids = json.dumps([key for key in keys if isinstance(key, int)])
    found = connection.execute("SELECT * FROM segments WHERE id IN (SELECT value FROM json_each(?))", (ids,))
    return {row[0]: to_segment(row[1:]) for row in found}
