"""Passages without a phrase: up to a thousand are checked one by one; of more, the index counts."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest

from groundwire.domain.access.policy import Principal, single_policy
from groundwire.domain.access.policy_source import DeclaredPolicy
from groundwire.domain.access.scopes import Scope
from groundwire.domain.errors import InvalidInput, Superseded
from groundwire.domain.filters.expression import AllOf, Compare, Filter, Not, Operator
from groundwire.domain.filters.outcomes import Language
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import ALL_COLLECTIONS, CollectionGrant, KeyKind
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.domain.limits import MAX_FILTER_LEVELS, MAX_LISTED_PASSAGES, MAX_REGISTRY_READS
from groundwire.domain.passages.value_counts import ValueCounts
from groundwire.domain.search.request import ALL_DOCUMENTS, DocumentSelection
from groundwire.ports import DocumentVersion, FirstRows, RowQuery, SegmentInput, lexical_half
from groundwire.services.ingest.request import IngestRequest
from groundwire.services.search import listing
from groundwire.services.search.listing import Matches, PassageListing, PassageSelection
from tests.support.isolation.policies import NO_READERS, PUBLIC
from tests.support.worlds.homes import fresh_home
from tests.support.worlds.world import World, open_world

DOCUMENTS = 120
CLOSED = frozenset({"d007", "d060"})
BOUND = 50
FIRST_PAGE = Compare("/page", Operator.EQ, 1, Language.OWN)
SOME = Compare("number", Operator.LT, 30, Language.OWN)


COLLECTIONS = ("office", "plant")


@pytest.fixture(scope="module")
def shared() -> Iterator[tuple[World, str]]:
    """Two pages of documents in two collections; two of them are hidden."""
    with pytest.MonkeyPatch.context() as patch, fresh_home() as home, open_world(home, patch) as world:
        tenant = world.tenant("amber")
        for collection, numbers in (("plant", range(80)), ("office", range(80, DOCUMENTS))):
            requests = [_request(tenant, collection, number) for number in numbers]
            ingested = world.services.ingestion.batch(tenant, collection, requests, lambda _done, _total: None)
            assert len(list(ingested)) == len(numbers)
        yield world, tenant


def _request(tenant: str, collection: str, number: int) -> IngestRequest:
    doc_id = f"d{number:03}"
    policy = NO_READERS if doc_id in CLOSED else PUBLIC
    text = f"Letter {doc_id}.\n\nNotes {doc_id}."
    request = IngestRequest(
        tenant,
        collection,
        f"/nowhere/{doc_id}.txt",
        f"{doc_id}.txt",
        text.encode,
        DeclaredPolicy(policy, None),
        doc_id,
        None,
    )
    return replace(request, metadata={"number": float(number), "tags": ("all", f"t{number % 3}")})


@pytest.fixture
def passages(shared: tuple[World, str]) -> PassageListing:
    return shared[0].services.reading.passage_listing


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer matches are too many."""
    monkeypatch.setattr(listing, "MAX_LISTED_PASSAGES", BOUND)


def caller(tenant: str, collections: CollectionGrant = ALL_COLLECTIONS) -> Caller:
    principal = Principal(tenant, None, frozenset())
    return Caller(principal, "kid", KeyKind.ACT_AS, frozenset({Scope.SEARCH}), collections, USUAL_OPTIONS)


def selection(
    where: Filter | None = None,
    documents: DocumentSelection = ALL_DOCUMENTS,
    collections: Collection[str] = COLLECTIONS,
) -> PassageSelection:
    return PassageSelection(collections, documents, where)


def doc_ids(matches: Matches) -> list[str]:
    return [passage.document.doc_id for passage in matches.passages]


def everything(
    passages: PassageListing, who: Caller, chosen: PassageSelection
) -> tuple[int, Mapping[str, int], object]:
    """Total, numbers by collection and numbers by tag."""
    counted = passages.count_values(who, chosen, "tags", 2)
    return passages.matches(who, chosen).total, passages.count(who, chosen), counted


def test_every_readable_passage_is_listed_in_order(shared: tuple[World, str], passages: PassageListing) -> None:
    matches = passages.matches(caller(shared[1]), selection())
    readable = sorted({f"d{number:03}" for number in range(DOCUMENTS)} - CLOSED)
    assert doc_ids(matches) == [doc_id for doc_id in readable for _ in range(2)]
    assert [passage.segment.ordinal for passage in matches.passages[:4]] == [0, 1, 0, 1]
    assert (matches.total, matches.is_complete) == (2 * len(readable), True)


def test_numbers_are_the_same_from_passages_and_from_the_index(
    shared: tuple[World, str], passages: PassageListing, monkeypatch: pytest.MonkeyPatch
) -> None:
    who = caller(shared[1])
    checked = everything(passages, who, selection())
    assert checked == (236, {"plant": 156, "office": 80}, ValueCounts((("all", 236), ("t2", 80)), 156))
    monkeypatch.setattr(listing, "MAX_LISTED_PASSAGES", BOUND)
    assert everything(passages, who, selection()) == checked


@pytest.mark.parametrize(("bound", "is_complete"), [(57, False), (58, True)])
def test_the_bound_is_the_number_of_matching_rows(
    shared: tuple[World, str],
    passages: PassageListing,
    monkeypatch: pytest.MonkeyPatch,
    bound: int,
    is_complete: bool,  # noqa: FBT001
) -> None:
    monkeypatch.setattr(listing, "MAX_LISTED_PASSAGES", bound)
    matches = passages.matches(caller(shared[1]), selection(SOME))
    assert (len(matches.passages), matches.total, matches.is_complete) == (bound, 58, is_complete)


def test_a_filter_that_only_records_decide_counts_what_they_decide(
    shared: tuple[World, str], passages: PassageListing
) -> None:
    who, first_of_some = caller(shared[1]), AllOf((FIRST_PAGE, SOME))
    matches = passages.matches(who, selection(first_of_some))
    assert (matches.total, {passage.segment.page_first for passage in matches.passages}) == (29, {1})
    assert passages.count(who, selection(first_of_some)) == {"plant": 29}
    assert passages.count_values(who, selection(SOME), "/page", 5) == ValueCounts(((1.0, 29), (2.0, 29)), 0)


@pytest.mark.usefixtures("few")
def test_too_many_matches_of_such_a_filter_are_to_be_narrowed(
    shared: tuple[World, str], passages: PassageListing
) -> None:
    who = caller(shared[1])
    with pytest.raises(InvalidInput, match="Narrow the query"):
        passages.matches(who, selection(FIRST_PAGE))
    with pytest.raises(InvalidInput, match="Narrow the query"):
        passages.count(who, selection(FIRST_PAGE))
    with pytest.raises(InvalidInput, match="Narrow the query"):
        passages.count_values(who, selection(FIRST_PAGE), "tags", 5)
    for field in ("/page", "/file_path"):
        with pytest.raises(InvalidInput, match="Narrow the query"):
            passages.count_values(who, selection(), field, 5)


def test_a_filter_that_is_too_large_is_refused(shared: tuple[World, str], passages: PassageListing) -> None:
    deep: Filter = SOME
    for _ in range(MAX_FILTER_LEVELS):
        deep = Not(deep)
    with pytest.raises(InvalidInput, match="deep"):
        passages.count(caller(shared[1]), selection(deep))


def test_collections_beyond_the_key_and_unknown_names_have_no_match(
    shared: tuple[World, str], passages: PassageListing
) -> None:
    who = caller(shared[1], frozenset({"office"}))
    assert passages.count(who, selection()) == {"office": 80}
    for nothing in (
        selection(collections=("plant", "unknown")),
        selection(collections=()),
        selection(documents=frozenset()),
        selection(documents=CLOSED),
    ):
        assert everything(passages, who, nothing) == (0, {}, ValueCounts((), 0))


def test_records_are_read_in_batches(
    shared: tuple[World, str], passages: PassageListing, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents_type = type(shared[0].services.stores.documents)
    read, batches = documents_type.read, list[int]()

    def counted(own: Any, tenant: str, doc_ids: Any) -> Any:
        batches.append(len(doc_ids))
        return read(own, tenant, doc_ids)

    monkeypatch.setattr(documents_type, "read", counted)
    passages.matches(caller(shared[1]), selection())
    assert batches == [MAX_REGISTRY_READS, 18]


def test_what_the_registry_hides_is_hidden_while_the_index_still_admits_it(
    shared: tuple[World, str], passages: PassageListing
) -> None:
    (world, tenant), doc_id = shared, "d001"
    index, admin = world.services.stores.indexes.for_tenant(tenant), world.services.administration.document_admin
    before = everything(passages, caller(tenant), selection(SOME))
    admin.override_policy(tenant, doc_id, NO_READERS)
    index.set_readers(doc_id, single_policy(PUBLIC))
    assert everything(passages, caller(tenant), selection(SOME))[:2] == (56, {"plant": 56})
    admin.override_policy(tenant, doc_id, PUBLIC)
    assert everything(passages, caller(tenant), selection(SOME)) == before


def test_a_version_that_is_not_published_is_neither_listed_nor_counted(
    shared: tuple[World, str], passages: PassageListing
) -> None:
    world, tenant = shared
    index = world.services.stores.indexes.for_tenant(tenant)
    before = everything(passages, caller(tenant), selection(SOME))
    [segment, _] = index.segments(DocumentVersion("d002", 1))
    vector = index.vectors("d002")[segment.uid].passage
    unpublished = SegmentInput(replace(segment, version=2), vector)
    index.put(
        DocumentVersion("d002", 2),
        single_policy(PUBLIC),
        [unpublished],
        {"number": 2.0, "tags": ("all",), "/rows": 2.0},
    )
    assert everything(passages, caller(tenant), selection(SOME)) == before
    index.prune("d002", 1)


def test_a_generation_that_becomes_live_meanwhile_is_searched_again(
    shared: tuple[World, str], passages: PassageListing, monkeypatch: pytest.MonkeyPatch
) -> None:
    index_type = type(lexical_half(shared[0].services.stores.indexes.for_tenant(shared[1])))
    select, requested = index_type.select, list[object]()

    def superseded_once(own: Any, query: RowQuery[Any]) -> Any:
        requested.append(query)
        if len(requested) == 1:
            raise Superseded("Another generation is live.")
        return select(own, query)

    monkeypatch.setattr(index_type, "select", superseded_once)
    assert passages.matches(caller(shared[1]), selection(SOME)).total == 58
    assert [each.most for each in requested if isinstance(each, FirstRows)] == [MAX_LISTED_PASSAGES + 1] * 2
