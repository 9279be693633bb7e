"""One tenant's embedded index."""

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from groundwire.adapters.local.index.arrays.dtypes import I64
from groundwire.adapters.local.index.arrays.similarity import SentenceWindows
from groundwire.adapters.local.index.candidates import NO_CANDIDATES, CandidateRequest, find_candidates
from groundwire.adapters.local.index.compaction import CompactionResult, compact
from groundwire.adapters.local.index.selection import access_mask
from groundwire.adapters.local.index.selection.access_mask import AccessMaskBuilder
from groundwire.adapters.local.index.selection.document_samples import outdated_documents
from groundwire.adapters.local.index.selection.row_answers import SelectedRows, answer
from groundwire.adapters.local.index.snapshots.follower import SnapshotFollower
from groundwire.adapters.local.index.snapshots.snapshot import gather_windows, read_stored_windows
from groundwire.adapters.local.index.snapshots.statistics import build_access_statistics
from groundwire.adapters.local.index.store import rows as stored_rows
from groundwire.adapters.local.index.store import writer
from groundwire.adapters.local.index.store.file import IndexFile
from groundwire.domain import errors
from groundwire.domain.access.policy import Principal, Readers
from groundwire.domain.documents.metadata import NO_METADATA, Metadata
from groundwire.domain.documents.segment import Segment
from groundwire.domain.keys.grants import ALL_COLLECTIONS
from groundwire.domain.search.fusion import PhraseScores
from groundwire.domain.search.request import SearchMode
from groundwire.ports import (
    DocumentVersion,
    Hits,
    IndexQuery,
    ModelId,
    RowQuery,
    SegmentInput,
    SegmentVectors,
    SelectRows,
    Span,
)

A = TypeVar("A")


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

    @property
    def lexical(self) -> "EmbeddedIndex":
        """The index itself, which has both halves."""
        return self

    def put(
        self,
        document: DocumentVersion,
        readers: Readers,
        segments: Sequence[SegmentInput],
        metadata: Metadata = NO_METADATA,
    ) -> None:
        """Store all rows of this version of the document durably; repeating it changes nothing.

        Raises:
            InvalidInput: a vector is not of the index's model, or a segment not of `document`.
            Conflict: a uid belongs to another document.
        """
        rows = writer.build_rows(document, segments, metadata, self._dimension)
        with self._file.write_transaction() as connection:
            writer.put(connection, document, readers, metadata, rows)

    def prune(self, doc_id: str, keep_version: int | None, keep_from_version: int | None = None) -> int:
        """Delete the document's rows but those of `keep_version` and from `keep_from_version` on; return the number."""
        with self._file.write_transaction() as connection:
            return writer.prune(connection, doc_id, keep_version, keep_from_version)

    def set_readers(self, doc_id: str, readers: Readers) -> None:
        """Set the readers of all rows of the document."""
        with self._file.write_transaction() as connection:
            writer.set_readers(connection, doc_id, readers)

    def vectors(self, doc_id: str) -> Mapping[str, SegmentVectors]:
        """Return vectors by segment uid, rounded to half precision; putting one again stores the same."""
        with self._file.read_transaction() as connection:
            return stored_rows.read_vectors(connection, doc_id, self._dimension)

    def nearest(self, query: IndexQuery, select: SelectRows) -> Hits:
        """Find candidates by vectors alone; otherwise as `search`."""
        return self.search(replace(query, mode=SearchMode.SEMANTIC), select)

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
            return Hits(scores, stored_rows.read_segments(connection, select(scores)))

    def select(self, query: RowQuery[A]) -> A:
        """Return the answer to a catalogue query.

        Raises:
            Forbidden: the principal belongs to another tenant.
        """
        rows = query.rows
        self._check_tenant(rows.principal)
        with self._file.read_transaction() as connection:
            snapshot, _ = self._follower.current(connection)
            readable = self._access_masks.readable(rows.principal, ALL_COLLECTIONS, snapshot)
            mask = access_mask.narrow(connection, snapshot, self._access_masks, readable, rows)
            return answer(query, SelectedRows(connection, snapshot, self._access_masks.columns, mask))

    def outdated_documents(self, after: str, most: int) -> Sequence[str]:
        """Return ids of documents with rows whose fields have an earlier form, ascending."""
        with self._file.read_transaction() as connection:
            return outdated_documents(connection, after, most)

    def segments(self, document: DocumentVersion) -> list[Segment]:
        """Return the segments of this version of the document, by ordinal."""
        with self._file.read_transaction() as connection:
            return stored_rows.version_segments(connection, document)

    def read_spans(self, spans: Sequence[Span]) -> list[list[Segment]]:
        """Return the segments of each span, by ordinal."""
        with self._file.read_transaction() as connection:
            return stored_rows.read_spans(connection, spans)

    def find(self, document: DocumentVersion, uid_start: str) -> Segment | None:
        """Return the first segment of this version whose uid begins so, or is this; None if it is missing."""
        with self._file.read_transaction() as connection:
            return stored_rows.find_segment(connection, document, uid_start)

    def count_version_rows(self, document: DocumentVersion) -> int:
        """Return the number of rows of this version of the document."""
        with self._file.read_transaction() as connection:
            return stored_rows.count_version_rows(connection, document)

    def count_rows_by_version(self) -> Mapping[DocumentVersion, int]:
        """Return the number of rows of each version of each document."""
        with self._file.read_transaction() as connection:
            return stored_rows.count_rows_by_version(connection)

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

        # By the reach of the key: a search that names fewer collections must not change how rare a word is.
        statistics = bm25.statistics_cache.get(
            (query.principal, query.granted),
            lambda: build_access_statistics(
                snapshot, self._access_masks.readable(query.principal, query.granted, snapshot)
            ),
        )
        mask = access_mask.narrow(connection, snapshot, self._access_masks, statistics.readable, query)
        request = CandidateRequest(query.phrases, query.collections, statistics, mask, query.mode, query.depth)
        return find_candidates(snapshot, bm25, windows_of, request)
