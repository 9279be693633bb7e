"""The two layers that keep a search tight, and what takes each of them away."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from groundwire.adapters.local.index.admission import Admission
from groundwire.adapters.local.index.arrays import Bools
from groundwire.adapters.local.index.index import EmbeddedIndex
from groundwire.adapters.local.index.snapshot import Snapshot
from groundwire.domain.access import Policy, Principal
from groundwire.domain.filters import Filter


def always(*, answer: object) -> Callable[..., object]:
    """A function that gives `answer`, whatever it is asked."""

    def given(*_: object) -> object:
        return answer

    return given


def no_filter(patch: pytest.MonkeyPatch) -> None:
    """The index hands out every row of the collections, whoever asks."""

    def mask(
        _: Admission, principal: Principal, collections: Sequence[str], where: Filter | None, snapshot: Snapshot
    ) -> Bools:
        wanted = np.array([name in collections for name in snapshot.collections.values], np.bool_)
        return snapshot.living & (wanted[snapshot.collection_of] if len(wanted) else snapshot.living)

    patch.setattr(Admission, "mask", mask)


def no_check(patch: pytest.MonkeyPatch) -> None:
    """What the index finds is answered as it is, without asking the registry about rights and versions."""

    patch.setattr("groundwire.services.search.rights._may_answer", always(answer=True))


def index_left_behind(patch: pytest.MonkeyPatch) -> None:
    """Nothing that changes later reaches the index: as long as a crash, or a slow index, keeps it back."""

    def prune(_: EmbeddedIndex, doc_id: str, keep_version: int | None) -> int:
        return 0

    def set_policy(_: EmbeddedIndex, doc_id: str, policy: Policy) -> None:
        """Forgotten."""

    patch.setattr(EmbeddedIndex, "prune", prune)
    patch.setattr(EmbeddedIndex, "set_policy", set_policy)
