"""Lists: complete, without repeats, each call at a bounded cost, and nothing in them that the caller may not read."""

import itertools
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from groundwire.adapters.local.registry.documents import SqliteDocuments
from groundwire.domain.access.policy import Policy
from groundwire.domain.documents.record import Document, DocumentState
from groundwire.domain.keys.grants import ALL_COLLECTIONS, CollectionGrant
from groundwire.domain.limits import MAX_RECORDS_SCANNED, RESOURCE_PAGE_ITEMS
from groundwire.services.documents.browse import CatalogPosition, DocumentCatalog, DocumentMatches
from groundwire_mcp.limits import MAX_COMPLETIONS
from tests.support.isolation import oracle
from tests.support.isolation.draws import POLICIES, TAGS, USERS, subsets
from tests.support.plugins.draws import examples
from tests.support.registry.records import in_state
from tests.support.worlds.document_library import NO_READERS, asker, catalog, keep, names, record, walked
from tests.support.worlds.world import World

COLLECTIONS = ("a", "a.b", "c")
ONE_WORLD = settings(
    deadline=None,
    max_examples=examples(40),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
_NUMBERS = itertools.count()


def fresh(world: World) -> str:
    return world.tenant(f"tenant-{next(_NUMBERS)}")


@pytest.fixture
def short_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, number in {"RESOURCE_PAGE_ITEMS": 4, "MAX_RECORDS_SCANNED": 5, "_BATCH": 3}.items():
        monkeypatch.setattr(f"groundwire.services.documents.browse.catalog.{name}", number)


@given(
    documents=st.lists(st.tuples(st.sampled_from(COLLECTIONS), POLICIES | st.just(NO_READERS)), max_size=14),
    user=st.none() | st.sampled_from(USERS),
    tags=subsets(TAGS),
    span=st.just(ALL_COLLECTIONS) | subsets(COLLECTIONS),
)
@ONE_WORLD
@pytest.mark.usefixtures("short_pages")
def test_the_pages_together_hold_each_collection_before_its_readable_documents_and_nothing_else(
    world: World, documents: list[tuple[str, Policy]], user: str | None, tags: frozenset[str], span: CollectionGrant
) -> None:
    tenant = fresh(world)
    records = [record(f"doc-{at:02}", *each) for at, each in enumerate(documents)]
    keep(world, tenant, *records)
    expected: list[str] = []
    for name in sorted(COLLECTIONS):
        within = [each for each in records if each.collection == name and (span == ALL_COLLECTIONS or name in span)]
        readable = [each.doc_id for each in within if oracle.may_read(user, tags, each.policy)]
        expected += [f"{name}:", *readable] if readable else []
    caller = asker(tenant, user, sorted(tags), collections=span)
    assert walked(catalog(world), caller) == expected


def sequence(start: int, count: int) -> list[str]:
    return [f"doc-{number:03}" for number in range(start, start + count)]


@given(data=st.data())
@ONE_WORLD
@pytest.mark.usefixtures("short_pages")
def test_what_stays_readable_is_listed_exactly_once_while_others_come_and_go(world: World, data: st.DataObject) -> None:
    tenant = fresh(world)
    everything = sequence(0, 24)
    staying = data.draw(st.sets(st.sampled_from(everything)))
    there = staying | data.draw(st.sets(st.sampled_from(everything)))
    keep(world, tenant, *(record(each, COLLECTIONS[int(each[-3:]) % 3]) for each in sorted(there)))
    where, caller = catalog(world), asker(tenant)
    found: list[str] = []
    place: CatalogPosition | None = None
    while True:
        listing = where.page(caller, place)
        found += names(listing.entries)
        place = listing.next_position
        if place is None:
            break
        changing = data.draw(st.sampled_from(everything))
        if changing in staying:
            continue
        if changing in there:
            world.services.administration.document_admin.delete(tenant, changing)
        else:
            keep(world, tenant, record(changing, COLLECTIONS[int(changing[-3:]) % 3]))
        there ^= {changing}
        everything.remove(changing)
    assert len(found) == len(set(found))
    assert staying <= set(found)


def ids_of(found: DocumentMatches) -> list[str]:
    return [document.doc_id for document in found.documents]


class Counting(SqliteDocuments):
    """The registry, counting the records that are walked."""

    records = 0

    def page_indexed(self, tenant: str, collection: str, after: str | None, limit: int) -> list[Document]:
        page = super().page_indexed(tenant, collection, after, limit)
        self.records += len(page)
        return page


def counted(world: World) -> tuple[Counting, DocumentCatalog]:
    counting = Counting(world.services.stores.database)
    return counting, DocumentCatalog(counting, world.services.stores.collections)


def test_a_page_looks_at_so_many_records_and_leads_on_even_when_it_is_empty(world: World) -> None:
    tenant = fresh(world)
    closed = [record(each, policy=NO_READERS) for each in sequence(0, MAX_RECORDS_SCANNED + 1)]
    keep(world, tenant, *closed, record("zz-open"))
    counting, where = counted(world)
    first = where.page(asker(tenant), None)
    assert (first.entries, first.next_position) == (
        (),
        CatalogPosition("default", closed[MAX_RECORDS_SCANNED - 1].doc_id, is_collection_listed=False),
    )
    assert counting.records <= MAX_RECORDS_SCANNED + 100
    second = where.page(asker(tenant), first.next_position)
    assert (names(second.entries), second.next_position) == (["default:", "zz-open"], None)


def test_a_page_holds_no_more_than_it_may(world: World) -> None:
    tenant = fresh(world)
    keep(world, tenant, *(record(each) for each in sequence(0, RESOURCE_PAGE_ITEMS)))
    first = catalog(world).page(asker(tenant), None)
    assert len(first.entries) in {RESOURCE_PAGE_ITEMS - 1, RESOURCE_PAGE_ITEMS}
    assert walked(catalog(world), asker(tenant)) == ["default:", *sequence(0, RESOURCE_PAGE_ITEMS)]


def test_a_collection_whose_documents_are_all_hidden_is_not_listed(world: World) -> None:
    tenant = fresh(world)
    keep(world, tenant, record("one", "layoffs", NO_READERS), record("two", "public"))
    where, caller = catalog(world), asker(tenant)
    assert walked(where, caller) == ["public:", "two"]
    assert where.find_collections(caller, "").names == ("public",)
    assert where.first_page_of(caller, "layoffs") is None
    assert where.first_page_of(caller, "never-was") is None


@pytest.mark.parametrize("state", sorted(set(DocumentState) - {DocumentState.INDEXED}))
def test_only_indexed_documents_are_listed(world: World, state: DocumentState) -> None:
    tenant = fresh(world)
    keep(world, tenant, in_state(record("doc"), state))
    assert walked(catalog(world), asker(tenant)) == []
    assert ids_of(catalog(world).find_documents(asker(tenant), "doc", None)) == []


@given(
    ids=st.sets(st.from_regex(r"[a-c]{1,3}", fullmatch=True), max_size=9),
    prefix=st.from_regex(r"[a-c]{0,3}", fullmatch=True),
    closed=st.sets(st.from_regex(r"[a-c]{1,3}", fullmatch=True), max_size=4),
)
@ONE_WORLD
def test_ids_are_completed_with_all_that_are_readable_and_fit_those_that_begin_alike_first(
    world: World, ids: set[str], prefix: str, closed: set[str]
) -> None:
    tenant = fresh(world)
    keep(world, tenant, *(record(each, policy=NO_READERS if each in closed else record("x").policy) for each in ids))
    found = catalog(world).find_documents(asker(tenant), prefix, None)
    fitting = [each for each in sorted(ids - closed) if fits(prefix, each)]
    assert sorted(ids_of(found)) == fitting
    beginning = [each for each in fitting if each.startswith(prefix)]
    assert ids_of(found)[: len(beginning)] == sorted(beginning, key=lambda each: (each != prefix, each))
    assert not found.has_more


def fits(typed: str, name: str) -> bool:
    """Return whether the name contains the typed letters in their order."""
    letters = iter(name)
    return all(letter in letters for letter in typed)


def test_a_document_is_found_by_terms_of_its_title_and_a_collection_by_a_part_of_its_name(world: World) -> None:
    tenant = fresh(world)
    leave = replace(record("d-7", "annual-reports"), title="Annual leave policy")
    keep(world, tenant, leave, record("d-8", "minutes"), replace(leave, doc_id="d-9", policy=NO_READERS))
    where, caller = catalog(world), asker(tenant)
    for typed in ("leave", "LEAVE pol", "pol ann", "aleavep"):
        assert ids_of(where.find_documents(caller, typed, None)) == ["d-7"], typed
    assert where.find_collections(caller, "rep").names == ("annual-reports",)
    assert where.find_collections(caller, "mnts").names == ("minutes",)
    assert where.find_collections(caller, "m").names == ("minutes",)
    assert where.find_collections(caller, "xyz").names == ()


def test_a_long_text_completes_nothing_and_costs_little(world: World) -> None:
    tenant = fresh(world)
    keep(world, tenant, record("d-7", "minutes"))
    for typed in ("d " * 100_000, "d" * 100_000):
        assert ids_of(catalog(world).find_documents(asker(tenant), typed, None)) == []


def test_ids_are_completed_within_the_collection_that_is_known(world: World) -> None:
    tenant = fresh(world)
    keep(world, tenant, record("doc-1", "one"), record("doc-2", "two"), record("doc", "one"))
    where, caller = catalog(world), asker(tenant)
    assert ids_of(where.find_documents(caller, "doc", "two")) == ["doc-2"]
    assert ids_of(where.find_documents(caller, "doc", None)) == ["doc", "doc-1", "doc-2"]
    assert ids_of(where.find_documents(caller, "doc", "three")) == []
    bound = asker(tenant, collections=frozenset({"two"}))
    assert ids_of(where.find_documents(bound, "doc", "one")) == []


@pytest.mark.parametrize("prefix", ["", "d"])
def test_a_completion_costs_no_more_than_a_page_and_reveals_no_hidden_name(world: World, prefix: str) -> None:
    tenant = fresh(world)
    keep(world, tenant, *(record(each, policy=NO_READERS) for each in sequence(0, 700)), record("doc-999"))
    counting, where = counted(world)
    found = where.find_documents(asker(tenant), prefix, None)
    assert (found.documents, found.has_more) == ((), False)
    assert counting.records <= MAX_RECORDS_SCANNED + 100
    collections = where.find_collections(asker(tenant), "")
    assert (collections.names, collections.has_more) == ((), False)
    assert counting.records <= 2 * MAX_RECORDS_SCANNED + 200


@pytest.mark.parametrize("prefix", ["", "doc", "never"])
def test_a_completion_costs_no_more_in_many_collections_than_in_one(world: World, prefix: str) -> None:
    tenant = fresh(world)
    many = [(f"c{number:02}", each) for number in range(50) for each in range(40)]
    keep(world, tenant, *(record(f"doc-{name}-{each}", name, NO_READERS) for name, each in many))
    counting, where = counted(world)
    assert where.find_collections(asker(tenant), "").names == ()
    assert counting.records <= MAX_RECORDS_SCANNED
    counting.records = 0
    assert where.find_documents(asker(tenant), prefix, None).documents == ()
    assert counting.records <= MAX_RECORDS_SCANNED + 100


def test_a_completion_proposes_so_many_and_states_that_there_are_more(world: World) -> None:
    tenant = fresh(world)
    ids = sequence(0, MAX_COMPLETIONS + 1)
    keep(world, tenant, *(record(each, collection=f"c{each}") for each in ids))
    where, caller = catalog(world), asker(tenant)
    found, named = where.find_documents(caller, "d", None), where.find_collections(caller, "c")
    assert (ids_of(found), found.has_more) == (ids[:MAX_COMPLETIONS], True)
    assert (list(named.names), named.has_more) == ([f"c{each}" for each in ids[:MAX_COMPLETIONS]], True)


@pytest.mark.parametrize(
    "open_ones", [RESOURCE_PAGE_ITEMS - 2, RESOURCE_PAGE_ITEMS - 1, RESOURCE_PAGE_ITEMS, MAX_COMPLETIONS]
)
def test_a_hidden_document_behind_a_full_answer_changes_nothing_in_it(world: World, open_ones: int) -> None:
    tenant, with_closed = fresh(world), fresh(world)
    readable = [record(each) for each in sequence(0, open_ones)]
    keep(world, tenant, *readable)
    closed = [
        record("zz", policy=NO_READERS),
        *(record(f"c{at}", f"default{at}", NO_READERS) for at in range(MAX_COMPLETIONS)),
    ]
    keep(world, with_closed, *readable, *closed)
    where, without, caller = catalog(world), asker(tenant), asker(with_closed)
    assert where.page(caller, None).entries == where.page(without, None).entries
    assert (where.page(caller, None).next_position is None) == (where.page(without, None).next_position is None)
    listed, expected = where.first_page_of(caller, "default"), where.first_page_of(without, "default")
    assert listed is not None
    assert expected is not None
    assert (listed.entries, listed.next_position is None) == (expected.entries, expected.next_position is None)
    for prefix in ("", "d", "doc-", "z"):
        assert where.find_documents(caller, prefix, None) == where.find_documents(without, prefix, None)
        assert where.find_documents(caller, prefix, "default") == where.find_documents(without, prefix, "default")
        assert where.find_collections(caller, prefix) == where.find_collections(without, prefix)


def test_the_name_of_a_large_hidden_collection_cannot_be_found_letter_by_letter(world: World) -> None:
    tenant = fresh(world)
    keep(world, tenant, *(record(each, "layoffs-2027", NO_READERS) for each in sequence(0, MAX_RECORDS_SCANNED + 1)))
    where, caller = catalog(world), asker(tenant)
    for name in ("l", "layoffs", "layoffs-2027"):
        assert where.find_collections(caller, name) == where.find_collections(caller, "never-was")
        assert where.find_documents(caller, "", name) == where.find_documents(caller, "", "never-was")
    assert where.find_documents(caller, "doc-", None) == where.find_documents(caller, "never-", None)


def test_a_typed_name_costs_as_much_where_hidden_collections_have_it_as_where_none_has(world: World) -> None:
    tenant = fresh(world)
    # More documents in each than a share of the budget, so that a share by matching names would show.
    places = itertools.product(range(MAX_COMPLETIONS + 1), range(6))
    closed = [record(f"x-{at}-{number}", f"layoffs-{at:03}", NO_READERS) for at, number in places]
    keep(world, tenant, *closed, record("d-1", "playoffs"))
    counting, where = counted(world)

    def typed(name: str) -> tuple[tuple[str, ...], int]:
        """The names that are proposed, and the records that are read for them."""
        counting.records = 0
        return where.find_collections(asker(tenant), name).names, counting.records

    assert typed("layoffs") == (("playoffs",), typed("never-was")[1])
    assert typed("layoffs-007") == typed("never-was")


def test_documents_of_another_tenant_are_never_listed(world: World) -> None:
    tenant, other = fresh(world), fresh(world)
    keep(world, tenant, record("mine"))
    keep(world, other, record("theirs", "secret"))
    assert walked(catalog(world), asker(tenant)) == ["default:", "mine"]
    place = CatalogPosition("secret", "a", is_collection_listed=False)
    assert catalog(world).page(asker(tenant), place).entries == ()
    assert ids_of(catalog(world).find_documents(asker(tenant), "", "secret")) == []
