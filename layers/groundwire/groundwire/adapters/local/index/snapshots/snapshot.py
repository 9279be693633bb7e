"""Snapshot of an index in memory: a search holds one, and a refresh makes the next one.

The windows of rows come from the cache that it started from, and those of newer rows from the file.
"""

import json
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from groundwire.adapters.local.index.arrays.dtypes import F32, I32, I64, U16, U64, Bools
from groundwire.adapters.local.index.arrays.interned import InternedValues
from groundwire.adapters.local.index.arrays.prefetch import prefetch_rows
from groundwire.adapters.local.index.arrays.similarity import SentenceWindows, VectorMatrix, decode_windows
from groundwire.adapters.local.index.arrays.vector_codes import VectorCodes, empty_vector_codes
from groundwire.adapters.local.index.lexical.postings import PostingsSegment, append_segment, invert
from groundwire.domain.access.policy import NO_READERS, Readers, single_policy

DELETED: Final = 0
"""Slot of the policy that admits nobody, for deleted rows."""


@dataclass(frozen=True, slots=True, eq=False)
class RowBatch:
    """Rows to add to a snapshot, by ascending id.

    Attributes:
        policies, collections, languages, metadata: slots.
        terms, counts: one row's after the other's.
    """

    ids: I64
    policies: I32
    collections: I32
    languages: I32
    metadata: I32
    vectors: F32
    terms: U64
    counts: U16
    terms_per_row: I64


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """Rows by ascending id; a row has the same position in every array.

    Attributes:
        sequence: sequence of the log up to which the snapshot has read.
        epoch: changes whenever slots are reassigned; within one a slot never changes its value.
        lengths: weighted number of terms, in eighths.
        policies: readers of documents: the declared policy, and a ceiling beside it.
        metadata: fields of documents as JSON; `FieldColumns` decodes them for a filter.
        codes: codes of the first rows; a search that needs more adds them.
        windows: windows of the first rows, from the cache; those of later rows are in the file.
    """

    sequence: int
    epoch: int
    ids: I64
    policy_of: I32
    collection_of: I32
    language_of: I32
    metadata_of: I32
    lengths: I64
    vector_rows: VectorMatrix
    codes: VectorCodes
    windows: SentenceWindows
    postings: tuple[PostingsSegment, ...]
    policies: InternedValues[Readers]
    collections: InternedValues[str]
    languages: InternedValues[str]
    metadata: InternedValues[str]

    @property
    def last_id(self) -> int:
        """Highest id in the snapshot; 0 without rows."""
        return int(self.ids[-1]) if len(self.ids) else 0

    @property
    def live_mask(self) -> Bools:
        """Mask of the rows that are not deleted."""
        return self.policy_of != DELETED

    @property
    def vectors(self) -> F32:
        """Vectors, shape (rows, dimension)."""
        return self.vector_rows.view(len(self.ids))

    def with_rows(self, batch: RowBatch) -> "Snapshot":
        """Return a snapshot with further rows."""
        # In place, behind the rows that running searches see.
        self.vector_rows.write(len(self.ids), batch.vectors)
        segment = invert(batch.terms, batch.counts, batch.terms_per_row, len(self.ids))
        return replace(
            self,
            ids=np.concatenate([self.ids, batch.ids]),
            policy_of=np.concatenate([self.policy_of, batch.policies]),
            collection_of=np.concatenate([self.collection_of, batch.collections]),
            language_of=np.concatenate([self.language_of, batch.languages]),
            metadata_of=np.concatenate([self.metadata_of, batch.metadata]),
            lengths=np.concatenate([self.lengths, _sums(batch.counts, batch.terms_per_row)]),
            postings=append_segment(self.postings, segment),
        )

    def with_policies(self, ids: I64, policies: I32) -> "Snapshot":
        """Return a snapshot with new policies, `DELETED` included, for known rows; ignores ids of purged rows."""
        if not len(ids) or not len(self.ids):
            return self
        positions = np.minimum(np.searchsorted(self.ids, ids), len(self.ids) - 1)
        known = self.ids[positions] == ids
        policy_of = self.policy_of.copy()
        policy_of[positions[known]] = policies[known]
        return replace(self, policy_of=policy_of)


def empty_snapshot(dimension: int, epoch: int) -> Snapshot:
    """Return the snapshot of an empty index."""
    return Snapshot(
        sequence=0,
        epoch=epoch,
        ids=np.empty(0, np.int64),
        policy_of=np.empty(0, np.int32),
        collection_of=np.empty(0, np.int32),
        language_of=np.empty(0, np.int32),
        metadata_of=np.empty(0, np.int32),
        lengths=np.empty(0, np.int64),
        vector_rows=VectorMatrix(dimension),
        codes=empty_vector_codes(dimension),
        windows=SentenceWindows(np.empty((0, dimension), np.int16), np.zeros(1, np.int64)),
        postings=(),
        policies=InternedValues((single_policy(NO_READERS),)),
        collections=InternedValues(()),
        languages=InternedValues(()),
        metadata=InternedValues(()),
    )


def _sums(counts: U16, per_row: I64) -> I64:
    """Return the sum of each row's counts."""
    # numpy's `reduceat` gives a wrong sum for a row without terms.
    running = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts, dtype=np.int64)])
    ends = np.cumsum(per_row)
    return running[ends] - running[ends - per_row]


ReadWindows = Callable[[I64], SentenceWindows]
"""Function that reads the windows of rows by id from the file."""


def gather_windows(snapshot: Snapshot, rows: I64, read: ReadWindows) -> SentenceWindows:
    """Return the windows in the order of `rows`, which is ascending; none for a row deleted from the file."""
    cached = int(np.searchsorted(rows, len(snapshot.windows.starts) - 1))
    first = _gathered(snapshot.windows, rows[:cached])
    if cached == len(rows):
        return first
    second = read(snapshot.ids[rows[cached:]])
    return SentenceWindows(
        np.concatenate([first.half_bits, second.half_bits]),
        np.concatenate([first.starts, second.starts[1:] + first.starts[-1]]),
    )


def read_stored_windows(connection: sqlite3.Connection, ids: I64, dimension: int) -> SentenceWindows:
    """Read the windows of these rows from the file."""
    keys: list[int] = ids.tolist()
    found = connection.execute(
        "SELECT windows.id, vectors FROM json_each(?) CROSS JOIN windows ON windows.id = value", (json.dumps(keys),)
    )
    windows_by_id: dict[int, bytes] = dict(found.fetchall())
    return decode_windows([windows_by_id.get(key, b"") for key in keys], dimension)


def _gathered(windows: SentenceWindows, rows: I64) -> SentenceWindows:
    first_windows = windows.starts[rows]
    counts = windows.starts[rows + 1] - first_windows
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    positions = np.arange(int(starts[-1])) + np.repeat(first_windows - starts[:-1], counts)
    prefetch_rows(windows.half_bits, positions)
    return SentenceWindows(windows.half_bits.take(positions, 0), starts)
