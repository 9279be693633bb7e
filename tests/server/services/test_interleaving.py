"""Manual changes, ingestion and reconciliation interrupt each other at random, and in the end all stores agree."""

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.domain.access.policy import Policy
from groundwire.domain.documents.record import TOMBSTONE_STATES, Document, DocumentState
from groundwire.domain.errors import Conflict, NotFound
from tests.server.services.crashing import PowerCutError
from tests.server.services.interrupted_backends import MachineSite, pictured
from tests.server.services.lagging_index import DELAY_S, LaggingIndexDoubles
from tests.support.isolation.policies import NO_READERS, PUBLIC, for_users
from tests.support.plugins.draws import examples
from tests.support.worlds.exchange import exchange
from tests.support.worlds.homes import fresh_home
from tests.support.worlds.world import open_world

NAME, DOC = "a.txt", "a"
TEXTS: Final = [f"The ledger of {word}.\n\nThe ledger ends with {word}." for word in ("amber", "birch", "cedar")]
POLICIES: Final = st.sampled_from([NO_READERS, PUBLIC, for_users("ann"), for_users("ben")])
MOMENTS: Final = [
    f"{when} {call}"
    for when in ("before", "after")
    for call in (
        "blobs.delete",
        "blobs.put",
        "documents.read",
        "documents.write",
        "documents.write_attachment_tree",
        "index.prune",
        "index.put",
        "index.set_readers",
        "index.vectors",
        "image_index.prune",
        "image_index.put",
        "image_index.set_readers",
    )
]


@dataclass
class Clock:
    """No two moments are the same."""

    now: float = 1_800_000_000.0

    def __call__(self) -> float:
        self.now += 1.0
        return self.now


@dataclass(frozen=True)
class Step:
    """Step of one actor, with the steps that others take during it.

    Attributes:
        does: `say`, `delete`, `bring` or `sweep`; `die` ends the ingestion in the midst of which it happens.
    """

    does: str
    policy: Policy = NO_READERS
    text: str = ""
    wait: float = 0.0
    during: Sequence[tuple[str, "Step"]] = ()


def steps(depth: int, *, is_ingesting: bool = False) -> st.SearchStrategy[Step]:
    """Within an ingestion nobody begins another: the tenant's lock is held."""
    words = [_step("say", depth, policy=POLICIES), _step("say", depth, policy=POLICIES), _step("delete", depth)]
    if is_ingesting:
        return st.one_of(*words, st.just(Step("die")))
    ingest_file = _step(
        "bring", depth, policy=POLICIES, text=st.sampled_from(TEXTS), wait=st.sampled_from([0.0, DELAY_S])
    )
    return st.one_of(*words, ingest_file, ingest_file, _step("sweep", depth))


def _step(does: str, depth: int, **drawn: Any) -> st.SearchStrategy[Step]:
    if not depth:
        return st.builds(Step, st.just(does), **drawn)
    inner = st.tuples(st.sampled_from(MOMENTS), st.deferred(lambda: steps(depth - 1, is_ingesting=_holds(does))))
    return st.builds(Step, st.just(does), during=st.lists(inner, max_size=2).map(tuple), **drawn)


def _holds(does: str) -> bool:
    return does in {"bring", "sweep"}


@dataclass
class Library:
    """Model of one document that several actors change, with the last manual change.

    Attributes:
        doing: who is at work, the one within the other. word: the last one by hand that came to be in force: a policy,
            or None for a deletion. said_at, put_at: when that was, and when the last file was put.
        text: of the last file that was brought in.
    """

    site: MachineSite
    clock: Clock
    doing: list[str] = field(default_factory=list[str])
    word: Policy | None = None
    stated_at: float = 0.0
    put_at: float = 0.0
    text: str = ""

    def do(self, step: Step) -> None:
        """The step, unless an ingestion that is under way forbids it."""
        if _holds(step.does) and any(_holds(each) for each in self.doing):
            return
        if step.does == "die":
            if "bring" in self.doing[-1:]:
                raise PowerCutError
            return
        for moment, inner in step.during:
            self.site.during.at(moment, lambda inner=inner: self.do(inner))
        self.doing.append(step.does)
        try:
            self._do(step)
        finally:
            self.doing.pop()

    def _do(self, step: Step) -> None:
        match step.does:
            case "bring":
                self._ingest(step)
            case "sweep":
                self.site.sweep()
            case "say":
                with suppress(NotFound, Conflict):
                    self.site.administration.override_policy(self.site.tenant, DOC, step.policy)
            case _:
                with suppress(NotFound, Conflict):
                    self.site.administration.delete(self.site.tenant, DOC)

    def _ingest(self, step: Step) -> None:
        self.clock.now += step.wait
        self.site.put_at = self.put_at = self.clock()
        with suppress(PowerCutError, Conflict):
            if self.site.attempt(NAME, step.text, step.policy):
                self.text = step.text

    def heard(self, changes: Sequence[tuple[Document, Document]]) -> None:
        """A change of the document and what it carries is in force."""
        if self.doing[-1:] in (["say"], ["delete"]):
            document = changes[0][0]
            self.word = None if document.state in TOMBSTONE_STATES else document.policy
            self.stated_at = self.clock()

    def check(self) -> None:
        """When all has come to rest."""
        self.site.during.forget()
        for _ in range(4):
            self.clock.now += DELAY_S
            self.site.sweep()
        found = self.site.services.stores.documents.all(self.site.tenant, None)
        answering = [_text(each) for each in found if each.state is DocumentState.INDEXED]
        self.site.check(dict(zip([NAME], answering, strict=False)))
        if self.stated_at > self.put_at:
            assert [each.policy for each in found] == ([] if self.word is None else [self.word])


def _text(document: Document) -> str:
    return next(text for text in TEXTS if hashlib.sha256(pictured(text).encode()).hexdigest() == document.content_hash)


@pytest.mark.parametrize("delayed", [False, True])
@settings(deadline=None, max_examples=examples(60))
@given(work=st.lists(steps(2), min_size=1, max_size=4))
def test_the_stores_agree_in_the_end_and_the_last_change_is_kept_whatever_happens_during_a_step(
    work: list[Step],
    delayed: bool,  # noqa: FBT001
) -> None:
    with pytest.MonkeyPatch.context() as patch, fresh_home() as home, open_world(home, patch) as world:
        clock = Clock()
        exchange(world.services, clock=clock)
        if delayed:
            exchange(
                world.services,
                indexes=LaggingIndexDoubles(world.services.stores.indexes, clock),
                image_indexes=LaggingIndexDoubles(world.services.stores.image_indexes, clock),
            )
        library = Library(MachineSite(world.services, world.tenant("amber")), clock)
        library.site.during.listen("documents.write_attachment_tree", library.heard)
        library.do(Step("bring", PUBLIC, TEXTS[0]))
        for step in work:
            library.do(step)
        library.check()
