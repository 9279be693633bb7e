"""Filters that the index cannot decide: what few low-ranked passages pass is found, at a bounded number of reads."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from groundwire.domain.access.policy import Principal
from groundwire.domain.access.policy_source import DeclaredPolicy
from groundwire.domain.access.scopes import Scope
from groundwire.domain.errors import Unavailable
from groundwire.domain.filters.expression import AllOf, AnyOf, Compare, Exists, Filter, Not, Operator
from groundwire.domain.filters.outcomes import Language
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import ALL_COLLECTIONS, KeyKind
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.domain.limits import MAX_FILTERED_READS, MAX_REGISTRY_READS
from groundwire.ports import lexical_half
from groundwire.services.ingest.request import IngestRequest
from groundwire.services.search.candidates import finder as candidates
from groundwire.services.search.explanation import explain
from groundwire.services.search.results import Trace
from tests.server.services.search_requests import requested
from tests.support.documents.earlier_rows import put_as_before
from tests.support.isolation.policies import NO_READERS, PUBLIC
from tests.support.registry.key_options import with_options
from tests.support.worlds.homes import fresh_home
from tests.support.worlds.world import World, open_world

DOCUMENTS = 300
LOW = {f"d{number}" for number in range(20, 270, 50)}
CLOSED = "d290"
FIRST_PAGE = Compare("/page", Operator.EQ, 1, Language.OWN)
SECOND_PAGE = Compare("/page", Operator.EQ, 2, Language.OWN)
NO_PAGE = Compare("/page", Operator.GT, 2, Language.OWN)
DECIDED = Compare("kept", Operator.EQ, True, Language.OWN)


@dataclass
class Work:
    """Searches of the index by their depth, and numbers of the records read at once."""

    depths: list[int] = field(default_factory=list[int])
    reads: list[int] = field(default_factory=list[int])


@pytest.fixture(scope="module")
def shared() -> Iterator[tuple[World, str]]:
    """Documents about pumps; a few have another subject on a second page, and are in an archive."""
    with pytest.MonkeyPatch.context() as patch, fresh_home() as home, open_world(home, patch) as world:
        tenant = world.tenant("amber")
        requests = [_request(tenant, f"d{number}") for number in range(DOCUMENTS)]
        ingested = world.services.ingestion.batch(tenant, "default", requests, lambda _done, _total: None)
        assert len(list(ingested)) == DOCUMENTS
        yield world, tenant


def _request(tenant: str, doc_id: str) -> IngestRequest:
    is_low = doc_id in {*LOW, CLOSED}
    text = f"Letter {doc_id}.\n\nNotes {doc_id}." if is_low else f"The pump of plant {doc_id}."
    policy = NO_READERS if doc_id == CLOSED else PUBLIC
    request = IngestRequest(
        tenant,
        "default",
        f"/nowhere/{doc_id}.txt",
        f"{doc_id}.txt",
        text.encode,
        DeclaredPolicy(policy, None),
        doc_id,
        None,
    )
    return replace(request, metadata={"number": float(doc_id.removeprefix("d")), "kept": is_low})


@pytest.fixture
def work(shared: tuple[World, str], monkeypatch: pytest.MonkeyPatch) -> Work:
    services, tenant = shared[0].services, shared[1]
    index_type = type(lexical_half(services.stores.indexes.for_tenant(tenant)))
    documents_type, done = type(services.stores.documents), Work()
    search, read = index_type.search, documents_type.read

    def counted_search(own: Any, query: Any, select: Any) -> Any:
        done.depths.append(query.depth)
        return search(own, query, select)

    def counted_read(own: Any, of: str, doc_ids: Sequence[str]) -> Any:
        done.reads.append(len(doc_ids))
        return read(own, of, doc_ids)

    monkeypatch.setattr(index_type, "search", counted_search)
    monkeypatch.setattr(documents_type, "read", counted_read)
    return done


def traced(shared: tuple[World, str], where: Filter, top_n: int = 8) -> Trace:
    world, tenant = shared
    principal = Principal(tenant, None, frozenset())
    caller = Caller(principal, "kid", KeyKind.ACT_AS, frozenset({Scope.SEARCH}), ALL_COLLECTIONS, USUAL_OPTIONS)
    return world.services.reading.search.traced(
        *requested(with_options(caller, floor=0.0), ["pump plant"], top_n, where)
    )


def found(trace: Trace) -> set[str]:
    return {each.document.doc_id for passage in trace.answer for each in (passage, *passage.also_in)}


@pytest.mark.parametrize("where", [SECOND_PAGE, Not(FIRST_PAGE), AllOf((SECOND_PAGE, Exists("number")))])
def test_the_few_passages_that_pass_are_found_however_low_they_rank(
    shared: tuple[World, str], work: Work, where: Filter
) -> None:
    trace = traced(shared, where)
    assert found(trace) == LOW
    assert len(work.depths) == 2
    for each in explain(trace):
        assert each.fused is not None
        assert each.fused > MAX_REGISTRY_READS
        assert each.admitted is not None


def test_a_filter_that_the_index_decides_never_searches_twice(shared: tuple[World, str], work: Work) -> None:
    assert found(traced(shared, DECIDED)) == LOW
    assert found(traced(shared, Compare("kept", Operator.EQ, "no such value", Language.OWN))) == set()
    assert len(work.depths) == 2


def test_no_more_is_read_once_enough_passages_pass(shared: tuple[World, str], work: Work) -> None:
    assert len(traced(shared, FIRST_PAGE).answer) == 8
    assert len(work.depths) == 1
    assert len(work.reads) == 1


def test_a_filter_that_nothing_passes_reads_a_bounded_number_of_records(
    shared: tuple[World, str], work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(candidates, "MAX_FILTERED_READS", 250)
    assert found(traced(shared, NO_PAGE)) == set()
    assert len(work.reads) == 4
    assert max(work.reads) <= MAX_REGISTRY_READS
    assert len(work.depths) == 2
    assert MAX_FILTERED_READS == 5 * MAX_REGISTRY_READS


def test_what_the_first_search_found_stays_where_the_second_one_fails(
    shared: tuple[World, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    world, tenant = shared
    where = AnyOf((SECOND_PAGE, Compare("number", Operator.LT, 100, Language.OWN)))
    before = found(traced(shared, where, top_n=200))
    index_type = type(lexical_half(world.services.stores.indexes.for_tenant(tenant)))
    search = index_type.search

    def fail_deeper(own: Any, query: Any, select: Any) -> Any:
        if query.depth == MAX_FILTERED_READS:
            raise Unavailable("The index does not answer.")
        return search(own, query, select)

    monkeypatch.setattr(index_type, "search", fail_deeper)
    kept = found(traced(shared, where, top_n=200))
    assert kept
    assert kept < before


def test_a_second_search_is_not_started_after_its_time(
    shared: tuple[World, str], work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nearly_over(_limit: float) -> float:
        return 1.0

    monkeypatch.setattr(candidates, "remaining_seconds", nearly_over)
    assert found(traced(shared, SECOND_PAGE)) == set()
    assert len(work.depths) == 1


def test_rows_of_an_earlier_form_take_no_room_from_those_that_pass(shared: tuple[World, str], work: Work) -> None:
    services, tenant = shared[0].services, shared[1]
    index = services.stores.indexes.for_tenant(tenant)
    where = Compare("/source_file_name", Operator.EQ, "d20.txt", Language.OWN)
    for record in services.stores.documents.all(tenant, None):
        put_as_before(index, record)
    assert found(traced(shared, where)) == {"d20"}
    assert len(work.depths) == 2
    with services.stores.ingest_lock.hold(tenant):
        while not services.administration.reconciler.rewrite_rows(tenant):
            pass
    assert found(traced(shared, where)) == {"d20"}
    assert len(work.depths) == 3
