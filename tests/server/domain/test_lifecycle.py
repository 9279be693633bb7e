"""The life of a document: every step is in the table, and no step makes a hidden document readable."""

from dataclasses import replace
from itertools import product
from typing import Final

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from groundwire.domain.access.decision import earlier_decision
from groundwire.domain.access.policy import NO_READERS, Policy
from groundwire.domain.access.policy_source import DeclaredPolicy, PolicySource, SourcedPolicy, effective_policy
from groundwire.domain.documents.changes import lifecycle, tombstones
from groundwire.domain.documents.changes.lifecycle import TRANSITIONS, Transition, next_state
from groundwire.domain.documents.record import (
    TOMBSTONE_STATES,
    Document,
    DocumentState,
    IndexedContent,
    Refusal,
    RefusalCause,
)
from groundwire.domain.documents.source_file import NO_CONTRIBUTOR, SourceFile
from tests.support.plugins.draws import examples

NOW: Final = 1_800_000_000.0
UNREADABLE: Final = Refusal(RefusalCause.CONTENT, "the file is damaged")
BUSY: Final = Refusal(RefusalCause.PARSER_BUSY, "the parser is busy")
BROKEN: Final = Refusal(RefusalCause.PARSER_BROKEN, "the parser does not start")
UNREAD: Final = {UNREADABLE: Transition.REFUSE, BUSY: Transition.WAIT, BROKEN: Transition.FAIL}
PUBLIC: Final = Policy(public=True, users=frozenset(), any_tags=frozenset(), all_tags=frozenset())
ANN: Final = Policy(public=False, users=frozenset({"ann"}), any_tags=frozenset(), all_tags=frozenset())
POLICIES: Final = st.sampled_from((NO_READERS, PUBLIC, ANN))
SOURCED: Final = st.builds(SourcedPolicy, POLICIES, st.sampled_from(PolicySource), st.just(0.0), st.none())


def file_under(policy: SourcedPolicy, name: str = "leave.txt", parent: str | None = None) -> SourceFile:
    return SourceFile("handbook", f"/docs/{name}", name, name.rpartition(".")[2], None, parent, policy)


def content_of(version: int) -> IndexedContent:
    return IndexedContent(
        version=version,
        title="Leave",
        blob=f"d-1/{version}",
        content_hash=f"{version:064x}",
        recipe="r",
        segments=3,
        windows=0,
        images=0,
        defects={},
        failed_step=None,
        pages=None,
        pages_without_text=0,
        size_bytes=10,
        language="en",
        metadata={"year": 2024.0},
        parser="p",
        model="m",
        sketch=b"s",
    )


@pytest.mark.parametrize(("transition", "before"), list(product(Transition, (None, *DocumentState))))
def test_a_step_that_the_table_does_not_have_cannot_be_taken(
    transition: Transition, before: DocumentState | None
) -> None:
    if before in TRANSITIONS[transition]:
        assert next_state(transition, before) is TRANSITIONS[transition][before]
    else:
        with pytest.raises(ValueError, match="no document goes"):
            next_state(transition, before)


def test_every_state_is_reached_from_the_first_record_and_left_again_or_ends() -> None:
    reached, grown = set[DocumentState | None]({None}), True
    while grown:
        after = {to for steps in TRANSITIONS.values() for before, to in steps.items() if before in reached}
        grown = not after <= reached
        reached |= after
    assert reached == {None, *DocumentState}


class Life(RuleBasedStateMachine):
    """Any order of steps over one document, with the states that its readers got."""

    def __init__(self) -> None:
        super().__init__()
        self.document: Document | None = None
        self.highest_version = 0
        self.reserved = 0

    @property
    def current(self) -> Document:
        assert self.document is not None
        return self.document

    def to(self, transition: Transition, after: Document) -> None:
        """Take the step, which must be one of the table."""
        before = None if self.document is None else self.document.state
        assert after.state is TRANSITIONS[transition][before]
        if self.document is not None:
            assert after.policy_version - self.document.policy_version in {0, 1}
            changed = after.policy != self.document.policy or transition is Transition.DELETE
            assert after.policy_version == self.document.policy_version + changed
        self.document = after

    @precondition(lambda self: self.document is None)
    @rule(policy=SOURCED, is_announced=st.booleans())
    def come(self, policy: SourcedPolicy, *, is_announced: bool) -> None:
        new = lifecycle.queued if is_announced else lifecycle.created
        after = new("d-1", file_under(policy), NOW)
        self.to(Transition.QUEUE if is_announced else Transition.START, after)
        assert after.policy == policy.policy

    @precondition(lambda self: self.document is not None)
    @rule(policy=SOURCED)
    def start(self, policy: SourcedPolicy) -> None:
        before = self.current
        after = lifecycle.started(before, file_under(policy), NOW)
        self.to(Transition.START, after)
        assert after.sync.is_stale
        if before.state is DocumentState.INDEXED:
            assert after.policy == before.policy

    @precondition(lambda self: self.document is not None and self.document.state in TRANSITIONS[Transition.PUBLISH])
    @rule(policy=SOURCED, is_reserved=st.booleans())
    def publish(self, policy: SourcedPolicy, *, is_reserved: bool) -> None:
        before, version = self.current, self.current.next_version
        assert version > max(self.highest_version, self.reserved)
        pending = lifecycle.reserved(before, version) if is_reserved else before
        after = lifecycle.published(pending, file_under(policy), content_of(version), NO_CONTRIBUTOR, NOW)
        self.to(Transition.PUBLISH, after)
        self.highest_version = version
        self.reserved = after.ingestion.started_version
        assert (after.policy, after.reason) == (policy.policy, None)

    @precondition(lambda self: self.document is not None and self.document.state not in TOMBSTONE_STATES)
    @rule(policy=SOURCED, refusal=st.sampled_from(list(UNREAD)))
    def refuse(self, policy: SourcedPolicy, refusal: Refusal) -> None:
        before = self.current
        after = lifecycle.refused(before, file_under(policy), "00", 2, refusal)
        self.to(UNREAD[refusal], after)
        if before.state is DocumentState.INDEXED and refusal is BUSY:
            assert after.policy == before.policy
        elif before.state is DocumentState.INDEXED:
            assert after.policy in {before.policy, NO_READERS}
            assert after.policy == before.policy or before.policy != policy.policy
        assert after.reason is not None

    @precondition(lambda self: self.document is not None and self.document.state not in TOMBSTONE_STATES)
    @rule(policy=SOURCED)
    def follow(self, policy: SourcedPolicy) -> None:
        before = self.current
        after = lifecycle.following_policy(before, policy)
        assert after.state is before.state
        if before.state is DocumentState.INDEXED and before.reason is not None:
            assert after.policy in {before.policy, NO_READERS}
        else:
            assert after.sourced_policy == policy
        self.document = after

    @precondition(lambda self: self.document is not None and self.document.state not in TOMBSTONE_STATES)
    @rule(policy=POLICIES)
    def override(self, policy: Policy) -> None:
        after = lifecycle.with_manual_policy(self.current, policy, NOW)
        assert after.sourced_policy == SourcedPolicy(policy, PolicySource.MANUAL, NOW, None)
        undeclared = DeclaredPolicy(None, None)
        assert effective_policy(undeclared, NOW + 1, after.sourced_policy) == after.sourced_policy
        self.document = after

    @precondition(lambda self: self.document is not None and self.document.state not in TOMBSTONE_STATES)
    @rule(is_explicit=st.booleans())
    def delete(self, *, is_explicit: bool) -> None:
        before = self.current
        after = (
            tombstones.deleted(before, earlier_decision(NOW), "", is_own=False)
            if is_explicit
            else tombstones.tombstone(before)
        )
        self.to(Transition.DELETE, after)
        if before.state in {DocumentState.PARSING, DocumentState.WAITING}:
            assert after.ingestion.started_version > before.version
        self.reserved = max(self.reserved, after.ingestion.started_version)

    @precondition(lambda self: self.document is not None)
    @rule()
    def mark(self) -> None:
        self.document = lifecycle.marked_stale(self.current)

    @precondition(lambda self: self.document is not None and self.document.state is not DocumentState.QUEUED)
    @rule(is_whole=st.booleans())
    def reconcile(self, *, is_whole: bool) -> None:
        before = self.current
        if is_whole:
            after = lifecycle.reconciled(before)
            assert not after.sync.is_stale
        else:
            after = lifecycle.partly_reconciled(before, NOW)
            assert after.sync.is_stale
            assert after.sync.rows_written_at > 0
        match before.state:
            case DocumentState.PARSING:
                assert (after.state, after.reason) == (DocumentState.REFUSED, lifecycle.INTERRUPTED.reason)
            case DocumentState.WAITING:
                assert (after.state, after.reason) == (DocumentState.FAILED, before.reason)
            case DocumentState.DELETING:
                assert after.state is (DocumentState.DELETED if is_whole else DocumentState.DELETING)
            case _:
                assert after.ingestion == before.ingestion
        assert after.policy == before.policy
        self.document = after

    @invariant()
    def a_tombstone_has_nothing_of_its_document(self) -> None:
        if self.document is not None and self.document.state in TOMBSTONE_STATES:
            left = (self.document.title, self.document.source_path, self.document.blob, self.document.sketch)
            assert left == ("", None, None, b"")
            assert not self.document.metadata

    @invariant()
    def an_indexed_document_has_a_version(self) -> None:
        if self.document is not None and self.document.state is DocumentState.INDEXED:
            assert self.document.version > 0

    @invariant()
    def no_number_is_given_twice(self) -> None:
        if self.document is not None:
            assert self.document.next_version > self.highest_version


TestLife = Life.TestCase
TestLife.settings = settings(
    max_examples=examples(60), stateful_step_count=25, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)


def test_an_earlier_version_keeps_answering_if_the_unreadable_file_came_with_the_same_policy() -> None:
    policy = SourcedPolicy(ANN, PolicySource.OPTION, 0.0, None)
    first = lifecycle.published(
        lifecycle.created("d-1", file_under(policy), NOW), file_under(policy), content_of(1), NO_CONTRIBUTOR, NOW
    )
    same = lifecycle.refused(first, file_under(policy), "00", 2, UNREADABLE)
    assert (same.policy, same.reason) == (ANN, UNREADABLE.reason)
    other = lifecycle.refused(first, file_under(replace(policy, policy=PUBLIC)), "00", 2, UNREADABLE)
    assert other.policy == NO_READERS


def test_a_mail_that_replaces_a_text_states_from_its_start_that_there_may_be_attachments() -> None:
    policy = SourcedPolicy(ANN, PolicySource.OPTION, 0.0, None)
    file = file_under(policy)
    text = lifecycle.published(lifecycle.created("d-1", file, NOW), file, content_of(1), NO_CONTRIBUTOR, NOW)
    assert lifecycle.started(text, file_under(policy, "leave.eml"), NOW).source_file_type == "eml"
    assert lifecycle.started(text, file_under(policy, "leave.pdf"), NOW).source_file_type == "txt"
