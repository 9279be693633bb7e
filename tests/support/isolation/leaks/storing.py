"""Bugs in what is kept where: tenants, versions, changes and answers."""

from dataclasses import replace

import pytest

from groundwire import wiring
from groundwire.adapters.local.index.index import EmbeddedIndex
from groundwire.adapters.local.index.indexes import EmbeddedIndexes
from groundwire.domain.access.policy import Principal, decide
from groundwire.domain.documents.record import Document, DocumentState
from groundwire.domain.documents.segment import Segment
from groundwire.domain.keys.caller import Caller
from groundwire.domain.search.request import SearchRequest
from groundwire.services.documents.links.citation_verifier import CitationAccess, CitationVerifier
from groundwire.services.search import Search
from groundwire.services.search.results import SearchResult
from tests.support.isolation.leaks.layers import answering, index_left_behind, no_check


def one_index_for_all(patch: pytest.MonkeyPatch) -> None:
    """Store the rows of all tenants in one index, whose guard against other tenants gets the caller's own tenant."""
    of = EmbeddedIndexes.for_tenant

    def shared(indexes: EmbeddedIndexes, tenant: str) -> EmbeddedIndex:
        index = of(indexes, "t_shared")
        patch.setattr(index, "_tenant", tenant)
        return index

    drop = EmbeddedIndexes.drop

    def drop_shared(indexes: EmbeddedIndexes, tenant: str) -> int:
        return drop(indexes, "t_shared")

    patch.setattr(EmbeddedIndexes, "for_tenant", shared)
    patch.setattr(EmbeddedIndexes, "drop", drop_shared)


def verify_asks_every_tenant(patch: pytest.MonkeyPatch) -> None:
    """A citation is looked up in the registries of all tenants."""
    verify = CitationVerifier.__call__

    def anywhere(service: CitationVerifier, caller: Caller, segment_uid: str) -> CitationAccess:
        tenants = [each.tenant for each in wiring.local_services().stores.tenants.all()]
        callers = [replace(caller, principal=replace(caller.principal, tenant=tenant)) for tenant in tenants]
        answers = [verify(service, each, segment_uid) for each in (caller, *callers)]
        return next((answer for answer in answers if answer.has_access), answers[0])

    patch.setattr(CitationVerifier, "__call__", anywhere)


def answers_kept(patch: pytest.MonkeyPatch) -> None:
    """The same question of the same person is answered as before."""
    search = Search.__call__
    kept: dict[tuple[Caller, tuple[str, ...]], SearchResult] = {}

    def remembering(service: Search, caller: Caller, request: SearchRequest) -> SearchResult:
        key = (caller, request.phrases)
        if key not in kept:
            kept[key] = search(service, caller, request)
        return kept[key]

    patch.setattr(Search, "__call__", remembering)


def unchecked_while_the_index_is_behind(patch: pytest.MonkeyPatch) -> None:
    """Search without a check in the registry, in an index that has not received the change yet."""
    no_check(patch)
    index_left_behind(patch)


def old_versions_answer(patch: pytest.MonkeyPatch) -> None:
    """Check rights but not versions in the registry, in an index that keeps redacted text."""

    def may_answer(principal: Principal, segment: Segment, document: Document) -> bool:
        return document.state is DocumentState.INDEXED and bool(decide(principal, document.readers))

    answering(patch, may_answer)
    index_left_behind(patch)


def deleted_documents_answer(patch: pytest.MonkeyPatch) -> None:
    """A tombstone's last policy lets its passages answer, as long as the index has them."""

    def may_answer(principal: Principal, segment: Segment, document: Document) -> bool:
        return document.version == segment.version and bool(decide(principal, document.readers))

    answering(patch, may_answer)
    index_left_behind(patch)
