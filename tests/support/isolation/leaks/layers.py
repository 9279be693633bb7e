"""The two layers that keep a search tight, and what takes each of them away."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import pytest

from groundwire.adapters.local.index.arrays.dtypes import Bools
from groundwire.adapters.local.index.index import EmbeddedIndex
from groundwire.adapters.local.index.selection.access_mask import AccessMaskBuilder
from groundwire.adapters.local.index.snapshots.snapshot import Snapshot
from groundwire.domain.access.policy import Principal, Readers
from groundwire.domain.documents.record import Document
from groundwire.domain.documents.segment import Segment
from groundwire.domain.keys.grants import CollectionGrant
from groundwire.domain.search.fusion import RankedCandidate
from groundwire.ports import Documents
from groundwire.services.search.candidates.access_check import AccessCheck
from groundwire.services.search.results import Passage

_Answer = TypeVar("_Answer")


def always(*, answer: _Answer) -> Callable[..., _Answer]:
    """Return a function that gives `answer` for all arguments."""

    def given(*_: object) -> _Answer:
        return answer

    return given


def no_filter(patch: pytest.MonkeyPatch) -> None:
    """The index hands out every row of the collections, whoever asks."""

    def mask(_: AccessMaskBuilder, principal: Principal, granted: CollectionGrant, snapshot: Snapshot) -> Bools:
        return snapshot.live_mask

    patch.setattr(AccessMaskBuilder, "readable", mask)


def no_check(patch: pytest.MonkeyPatch) -> None:
    """What the index finds is answered as it is, without asking the registry about rights and versions."""
    answering(patch, always(answer=True))


def answering(patch: pytest.MonkeyPatch, may_answer: Callable[[Principal, Segment, Document], bool]) -> None:
    """Of what the index finds, that is answered which `may_answer` lets through."""

    def checked(
        principal: Principal,
        documents: Documents,
        segments: Mapping[int | str, Segment],
        ranked: Sequence[RankedCandidate],
        similarities: Mapping[int | str, float],
    ) -> AccessCheck:
        records = documents.read(principal.tenant, sorted({segment.doc_id for segment in segments.values()}))
        found = [
            Passage(segment, records[segment.doc_id], row.score, similarity=similarities.get(row.key))
            for row in ranked
            if (segment := segments.get(row.key)) is not None and segment.doc_id in records
        ]
        return AccessCheck([each for each in found if may_answer(principal, each.segment, each.document)], [])

    patch.setattr("groundwire.services.search.candidates.finder.check_access", checked)


def index_left_behind(patch: pytest.MonkeyPatch) -> None:
    """Nothing that changes later reaches the index: as long as a crash, or a slow index, keeps it back."""

    def prune(_: EmbeddedIndex, doc_id: str, keep_version: int | None, below: int | None = None) -> int:
        return 0

    def set_readers(_: EmbeddedIndex, doc_id: str, readers: Readers) -> None:
        """Forgotten."""

    patch.setattr(EmbeddedIndex, "prune", prune)
    patch.setattr(EmbeddedIndex, "set_readers", set_readers)
