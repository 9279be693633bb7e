"""One tenant's embedded index."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from groundwire.adapters.local.index.access_mask import AccessMaskBuilder
from groundwire.adapters.local.index.arrays.dtypes import I64
from groundwire.adapters.local.index.candidates import NO_CANDIDATES, CandidateRequest, find_candidates
from groundwire.adapters.local.index.compaction import CompactionResult, compact
from groundwire.adapters.local.index.memory.follower import SnapshotFollower
from groundwire.adapters.local.index.memory.snapshot import Snapshot
from groundwire.adapters.local.index.memory.window_reader import gather_windows, read_stored_windows
from groundwire.adapters.local.index.store import writer
from groundwire.adapters.local.index.store.file import IndexFile
from groundwire.adapters.local.index.store.rows import to_segment, to_vector, to_vectors
from groundwire.adapters.local.index.vectors.windows import SentenceWindows
from groundwire.domain import errors
from groundwire.domain.access.policy import Policy, Principal
from groundwire.domain.documents.metadata import NO_METADATA, Metadata
from groundwire.domain.documents.segment import Segment
from groundwire.domain.filters.expression import Filter
from groundwire.domain.search.fusion import PhraseScores
from groundwire.ports import DocumentVersion, ModelId, Phrase, SegmentInput, SegmentVectors, Span


class EmbeddedIndex:
    """An `Index` in one SQLite file, searched in memory; every search sees all that was written before it.

    Any number of threads and processes may use one file at once.

    Args:
        path: of the file. model: of a file that is made here.

    Raises:
        Unavailable: the folder cannot be used, or the file is damaged.
        Conflict: an older or a newer Groundwire wrote the file.
    """

    def __init__(self, path: Path, tenant: str, model: ModelId) -> None:
        self._tenant = tenant
        self._file = IndexFile(path, model)
        self._dimension = self._file.model.dimension
        self._access_masks = AccessMaskBuilder()
        self._follower = SnapshotFollower(self._file)

    @property
    def path(self) -> Path:
        """Of its file."""
        return self._file.path

    @property
    def model(self) -> ModelId:
        """The model whose vectors it holds."""
        return self._file.model

    @property
    def visible_after_seconds(self) -> int:
        """0: the next search sees it."""
        return 0

    def put(
        self,
        document: DocumentVersion,
        policy: Policy,
        segments: Sequence[SegmentInput],
        metadata: Metadata = NO_METADATA,
    ) -> None:
        """All rows of this version of the document are in the index, durably; repeating it changes nothing.

        Raises:
            Invalid: a vector is not of the index's model, or a segment not of `document`.
            Conflict: a uid belongs to another document.
        """
        rows = writer.build_rows(document, segments, self._dimension)
        with self._file.write_transaction() as connection:
            writer.put(connection, document, policy, metadata, rows)

    def prune(self, doc_id: str, keep_version: int | None, keep_from_version: int | None = None) -> int:
        """Only rows of `keep_version` and from `keep_from_version` on remain of the document; returns how many went."""
        with self._file.write_transaction() as connection:
            return writer.prune(connection, doc_id, keep_version, keep_from_version)

    def set_policy(self, doc_id: str, policy: Policy) -> None:
        """All rows of the document stand under `policy`."""
        with self._file.write_transaction() as connection:
            writer.set_policy(connection, doc_id, policy)

    def vectors(self, doc_id: str) -> Mapping[str, SegmentVectors]:
        """By segment uid, rounded to half precision; putting one again stores the same."""
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

    def search(
        self,
        principal: Principal,
        collections: Sequence[str],
        phrases: Sequence[Phrase],
        depth: int,
        where: Filter | None = None,
    ) -> list[PhraseScores]:
        """Per phrase, candidates of `collections` that `principal` may read and `where` admits, `depth` per signal.

        Raises:
            Denied: the principal is of another tenant.
            Invalid: a phrase's vector is not of the index's model.
        """
        if principal.tenant != self._tenant:
            raise errors.Forbidden("This index belongs to another tenant.")
        if not phrases or not collections:
            return [NO_CANDIDATES] * len(phrases)
        with self._file.read_transaction() as connection:
            snapshot, bm25 = self._follower.current(connection)
        mask = self._access_masks.build(principal, collections, where, snapshot)
        return find_candidates(snapshot, bm25, self._windows_of, CandidateRequest(phrases, collections, mask, depth))

    def read(self, keys: Sequence[int | str]) -> Mapping[int | str, Segment]:
        """The segments of these rows by key; rows that have gone are left out."""
        ids = json.dumps([key for key in keys if isinstance(key, int)])
        with self._file.read_transaction() as connection:
            found = connection.execute("SELECT * FROM segments WHERE id IN (SELECT value FROM json_each(?))", (ids,))
            return {row[0]: to_segment(row[1:]) for row in found}

    def segments(self, document: DocumentVersion) -> list[Segment]:
        """The segments of this version of the document, by ordinal."""
        with self._file.read_transaction() as connection:
            found = connection.execute(
                "SELECT * FROM segments WHERE doc_id = ? AND version = ? ORDER BY ordinal, id",
                (document.doc_id, document.version),
            )
            return [to_segment(row[1:]) for row in found]

    def read_spans(self, spans: Sequence[Span]) -> list[list[Segment]]:
        """The segments of each span, by ordinal."""
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

    def find(self, document: DocumentVersion, uid: str) -> Segment | None:
        """The one of them with this uid; None where this version has none."""
        with self._file.read_transaction() as connection:
            found = connection.execute(
                "SELECT * FROM segments WHERE uid = ? AND version = ? AND doc_id = ?",
                (uid, document.version, document.doc_id),
            ).fetchone()
            return None if found is None else to_segment(found[1:])

    def count_version_rows(self, document: DocumentVersion) -> int:
        """How many rows this version of the document has."""
        with self._file.read_transaction() as connection:
            found = connection.execute(
                "SELECT count(*) FROM segments WHERE doc_id = ? AND version = ?", (document.doc_id, document.version)
            )
            return int(found.fetchone()[0])

    def count_rows_by_version(self) -> Mapping[DocumentVersion, int]:
        """How many rows each version of each document has."""
        with self._file.read_transaction() as connection:
            rows = connection.execute("SELECT doc_id, version, count(*) FROM segments GROUP BY doc_id, version")
            return {DocumentVersion(doc_id, version): number for doc_id, version, number in rows}

    def count_rows(self) -> int:
        """How many rows there are."""
        with self._file.read_transaction() as connection:
            return int(connection.execute("SELECT count(*) FROM segments").fetchone()[0])

    def compact(self) -> CompactionResult:
        """It takes no more of the disk than its rows need, while others search and write; Raises Unavailable."""
        return compact(self._file)

    def is_in_place(self) -> bool:
        """Whether the tenant's index is still the file that is open here."""
        return self._file.is_in_place()

    def close(self) -> None:
        """Waits for what is going on; using the index afterwards raises Unavailable."""
        self._follower.close()
        self._file.close()

    def _windows_of(self, snapshot: Snapshot, rows: I64) -> SentenceWindows:
        def read(ids: I64) -> SentenceWindows:
            with self._file.read_transaction() as connection:
                return read_stored_windows(connection, ids, self._dimension)

        return gather_windows(snapshot, rows, read)
