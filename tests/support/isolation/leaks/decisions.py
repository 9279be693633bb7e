"""Products with one bug each: a run, or the product itself, undoes what a person decided about a document."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

import pytest

from groundwire.domain.access import policy as access_policy
from groundwire.domain.access.decision import Decision
from groundwire.domain.access.policy import (
    NO_READERS,
    AccessDecision,
    Policy,
    Principal,
    Readers,
    decide,
    single_policy,
)
from groundwire.domain.access.policy_source import Ceiling, DeclaredPolicy, SourcedPolicy
from groundwire.domain.documents.changes import ceiling, lifecycle, tombstones
from groundwire.domain.documents.changes.ceiling import PolicyOverride, ReadersChoice
from groundwire.domain.documents.record import Document
from groundwire.ports import SourceRecords
from groundwire.services.documents import admin
from groundwire.services.documents.admin import ChangeListener, DocumentAdmin
from groundwire.services.ingest import request as ingest_request
from groundwire.services.ingest.deletions import holds
from groundwire.services.ingest.deletions.administration import DeletionAdmin
from groundwire.services.ingest.deletions.memory import DeletionMemory
from groundwire.services.ingest.document_match import NOTHING_THE_SAME, DocumentMatcher, FileMatch, SameContent
from groundwire.services.ingest.request import IngestRequest
from groundwire.services.ingest.runs import records
from tests.support.isolation.leaks.layers import no_check

Bug = Callable[[pytest.MonkeyPatch], None]


def ceilings_end_with_a_run(patch: pytest.MonkeyPatch) -> None:
    """A run that declares a policy removes the ceiling beside it."""
    rule = ingest_request.effective_policy

    def forgetful(declared: DeclaredPolicy, decided_at: float | None, current: SourcedPolicy | None) -> SourcedPolicy:
        return replace(rule(declared, decided_at, current), ceiling=None)

    patch.setattr(ingest_request, "effective_policy", forgetful)


def ceilings_bound_nobody(patch: pytest.MonkeyPatch) -> None:
    """The decision looks at the declared policy alone, in the index and in the registry."""

    def declared_alone(principal: Principal, declared: Policy, _ceiling: Policy) -> AccessDecision:
        return decide(principal, single_policy(declared))

    patch.setattr(access_policy, "_decide_both", declared_alone)


def ceilings_replace_what_is_declared(patch: pytest.MonkeyPatch) -> None:
    """The decision looks at the ceiling alone: a file that narrows has no effect."""

    def ceiling_alone(principal: Principal, _declared: Policy, limit: Policy) -> AccessDecision:
        return decide(principal, single_policy(limit))

    patch.setattr(access_policy, "_decide_both", ceiling_alone)


def persons_override_until_the_next_run(patch: pytest.MonkeyPatch) -> None:
    """A person's policy replaces the declared one, as in earlier releases."""

    def overriding(document: Document, limit: Ceiling | None) -> Document:
        policy = document.policy if limit is None else limit.policy
        return lifecycle.with_manual_policy(document, policy, 1.0)

    patch.setattr(ceiling, "with_ceiling", overriding)


def lifts_change_nothing(patch: pytest.MonkeyPatch) -> None:
    """A lifted ceiling stays."""
    _replace_lift(patch, lambda document: document)


def lifts_leave_nobody(patch: pytest.MonkeyPatch) -> None:
    """A lift removes the declared readers, too."""
    _replace_lift(patch, lambda document: replace(document, ceiling=None, policy=NO_READERS))


def _find_nothing(*_arguments: object) -> None:
    """Return nothing, whatever is looked for."""


def _replace_lift(patch: pytest.MonkeyPatch, change: Callable[[Document], Document]) -> None:
    genuine = DocumentAdmin.decide_readers_if

    def deciding(
        service: DocumentAdmin, tenant: str, doc_id: str, choose: ReadersChoice, decision: Decision
    ) -> PolicyOverride:
        return genuine(service, tenant, doc_id, changed if choose is ceiling.lifted else choose, decision)

    def changed(document: Document, _decision: Decision) -> Document:
        return change(document)

    patch.setattr(DocumentAdmin, "decide_readers_if", deciding)


def closed_documents_keep_their_readers(patch: pytest.MonkeyPatch) -> None:
    """A close stores a ceiling that admits everybody."""
    everybody = Policy(public=True, users=frozenset(), any_tags=frozenset(), all_tags=frozenset())
    patch.setattr(ceiling, "NO_READERS", everybody)


def runs_ingest_deleted_paths(patch: pytest.MonkeyPatch) -> None:
    """The path of a deleted file holds nothing back."""

    def nothing(_match: FileMatch) -> None:
        """Return no hold."""

    patch.setattr(holds, "_of_document", nothing)


def changed_content_returns_at_a_deleted_path(patch: pytest.MonkeyPatch) -> None:
    """A deletion holds for the deleted content alone."""

    def by_content(
        found: holds.Holds,
        request: IngestRequest,
        match: FileMatch,
        content_hash: str,
        remembered: holds.RememberedDeletions,
    ) -> holds.Hold | None:
        if not content_hash:
            return None
        return found._of_content(request, replace(match, current=None), content_hash, remembered)

    patch.setattr(holds.Holds, "find", by_content)


def content_returns_under_another_name(patch: pytest.MonkeyPatch) -> None:
    """Content that was deleted is ingested at another path."""
    patch.setattr(holds.Holds, "_of_content", _find_nothing)


def restored_deletions_stay(patch: pytest.MonkeyPatch) -> None:
    """A restore does not end the deletion."""
    patch.setattr(DeletionAdmin, "restore", DeletionAdmin.find)


def moved_files_have_no_ceiling(patch: pytest.MonkeyPatch) -> None:
    """A file with a new name is a new document."""

    def nothing(*_arguments: object) -> SameContent:
        """Find no document."""
        return NOTHING_THE_SAME

    patch.setattr(DocumentMatcher, "find_same", nothing)


def moves_onto_another_document_end_a_ceiling(patch: pytest.MonkeyPatch) -> None:
    """A file that takes the place of another one has the ceiling of that one alone."""

    def unlimited(document: Document, _others: Iterable[Document]) -> Document:
        """Return the record as it is."""
        return document

    patch.setattr(records, "limited_as", unlimited)


def restored_documents_have_no_ceiling(patch: pytest.MonkeyPatch) -> None:
    """A tombstone forgets the ceiling of its document."""
    genuine = tombstones.tombstone

    def without_ceiling(document: Document) -> Document:
        return replace(genuine(document), ceiling=None)

    patch.setattr(tombstones, "tombstone", without_ceiling)


def vanished_files_count_as_deleted(patch: pytest.MonkeyPatch) -> None:
    """A file that vanished is held back when it returns, as if a person had deleted it."""

    def deleting(service: DocumentAdmin, tenant: str, doc_id: str, _listener: ChangeListener) -> Document:
        return service.delete(tenant, doc_id)

    patch.setattr(DocumentAdmin, "remove_source", deleting)


def vanished_files_have_no_ceiling(patch: pytest.MonkeyPatch) -> None:
    """A file that vanished returns as a new document."""

    def without_memory(document: Document, _mark: str) -> Document:
        return tombstones.tombstone(document)

    patch.setattr(admin, "vanished", without_memory)


def the_index_ignores_ceilings(patch: pytest.MonkeyPatch) -> None:
    """Rows carry the declared policy alone, and the registry is not read."""
    no_check(patch)

    def declared_alone(document: Document) -> Readers:
        return single_policy(document.policy)

    patch.setattr(Document, "readers", property(declared_alone))


def vanished_contents_are_forgotten(patch: pytest.MonkeyPatch) -> None:
    """An object that vanishes and appears at another path is a new document."""

    def without_mark(document: Document, _mark: str) -> Document:
        return tombstones.vanished(document, "")

    patch.setattr(admin, "vanished", without_mark)


def replaced_contents_are_forgotten(patch: pytest.MonkeyPatch) -> None:
    """The content that another one replaced has no ceiling at the path to which it was moved."""

    def nothing(*_arguments: object) -> str:
        """Return no mark."""
        return ""

    patch.setattr(DeletionMemory, "former_content", nothing)


def copies_have_no_ceiling(patch: pytest.MonkeyPatch) -> None:
    """An object that is copied before it is removed gets the readers that its path declares."""
    genuine = DocumentMatcher.find_same

    def without_ceiling(
        matcher: DocumentMatcher, request: IngestRequest, content_hash: str, marked: Sequence[Document]
    ) -> SameContent:
        return replace(genuine(matcher, request, content_hash, marked), ceiling=None)

    patch.setattr(DocumentMatcher, "find_same", without_ceiling)


def overdue_events_restore_deleted_documents(patch: pytest.MonkeyPatch) -> None:
    """An event of an object from before the deletion ingests it again."""
    patch.setattr(holds.Holds, "find", _find_nothing)
    patch.setattr(SourceRecords, "deleted_at", property(lambda _records: 0.0))


BUGS: Final[Mapping[str, Bug]] = {
    "ceilings end with a run": ceilings_end_with_a_run,
    "ceilings bound nobody": ceilings_bound_nobody,
    "ceilings replace what is declared": ceilings_replace_what_is_declared,
    "persons override until the next run": persons_override_until_the_next_run,
    "lifts change nothing": lifts_change_nothing,
    "lifts leave nobody": lifts_leave_nobody,
    "closed documents keep their readers": closed_documents_keep_their_readers,
    "runs ingest deleted paths": runs_ingest_deleted_paths,
    "changed content returns at a deleted path": changed_content_returns_at_a_deleted_path,
    "content returns under another name": content_returns_under_another_name,
    "restored deletions stay": restored_deletions_stay,
    "moved files have no ceiling": moved_files_have_no_ceiling,
    "moves onto another document end a ceiling": moves_onto_another_document_end_a_ceiling,
    "restored documents have no ceiling": restored_documents_have_no_ceiling,
    "vanished files count as deleted": vanished_files_count_as_deleted,
    "vanished files have no ceiling": vanished_files_have_no_ceiling,
    "the index ignores ceilings, registry unchecked": the_index_ignores_ceilings,
}

BUCKET_BUGS: Final[Mapping[str, Bug]] = {
    "vanished contents are forgotten": vanished_contents_are_forgotten,
    "replaced contents are forgotten": replaced_contents_are_forgotten,
    "copies have no ceiling": copies_have_no_ceiling,
    "overdue events restore deleted documents": overdue_events_restore_deleted_documents,
}
"""Bugs that an order of bucket events shows."""
