"""Rows found without a phrase, listed and counted: every engine gives what an evaluation in memory gives."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from random import Random

import pytest

from groundwire.domain.access.policy import Policy, Principal, decide, single_policy
from groundwire.domain.documents.indexed_fields import ROWS_FIELD, ROWS_FORM
from groundwire.domain.documents.metadata import Metadata, metadata_from_mapping
from groundwire.domain.documents.segment import Segment
from groundwire.domain.errors import Forbidden
from groundwire.domain.filters.expression import Compare, Filter, Operator, matches
from groundwire.domain.filters.index.index_filter import index_filter
from groundwire.domain.passages.value_counts import ValueCounts, most_frequent
from groundwire.domain.search.request import ALL_DOCUMENTS, DocumentSelection
from groundwire.ports import FirstRows, Index, RowListing, RowsByCollection, RowsByValue, RowSelection
from tests.contract.index.adapters import EVERY_SERVICE
from tests.support.documents.filters.trees import FIELDS, OWN_FIELDS, any_document, any_tree
from tests.support.documents.index_documents import ANYONE, PUBLIC, TENANT, for_tags, put, someone

CURRENT = {ROWS_FIELD: ROWS_FORM}
COLLECTIONS = ("finance", "handbook", "it")
TAGS = ("hr", "it", "board")
USERS = ("ada", "bob")
DOCUMENTS = 40
SELECTIONS = 50
MOST = 5


def selection(
    principal: Principal = ANYONE,
    collections: Sequence[str] = ("handbook",),
    documents: DocumentSelection = ALL_DOCUMENTS,
    where: Filter | None = None,
) -> RowSelection:
    """Return a selection of all documents of one collection, unless an argument narrows it."""
    return RowSelection(principal, collections, documents, where)


def values(index: Index, field: str, most: int = 10) -> ValueCounts:
    return index.select(RowsByValue(selection(), field, most))


def test_rows_are_listed_in_one_order_with_the_number_of_all(index: Index) -> None:
    last = put(index, "b", ["one", "two"], collection="vault")
    first = put(index, "a", [f"text {number}" for number in range(12)])
    newer = put(index, "a", ["text 0", "other"], version=2)
    put(index, "closed", ["one"], for_tags("hr"))
    everywhere = selection(collections=("vault", "handbook"))
    assert index.select(FirstRows(everywhere, 100)) == RowListing([*first, *newer, *last], 16)
    assert index.select(FirstRows(everywhere, 3)) == RowListing(first[:3], 16)
    assert index.select(FirstRows(selection(), 14)) == RowListing([*first, *newer], 14)


def test_what_narrows_to_nothing_selects_no_row(index: Index) -> None:
    put(index, "a", ["one"], metadata={"n": 1.0, **CURRENT})
    never = Compare("n", Operator.EQ, 2.0)
    for nothing in (
        selection(collections=()),
        selection(collections=("unknown",)),
        selection(documents=frozenset()),
        selection(documents=frozenset({"unknown"})),
        selection(where=never),
    ):
        assert index.select(FirstRows(nothing, 5)) == RowListing([], 0)
        assert index.select(RowsByCollection(nothing)) == {}
        assert index.select(RowsByValue(nothing, "n", 5)) == ValueCounts((), 0)


def test_an_empty_index_has_nothing_to_list(index: Index) -> None:
    assert index.select(FirstRows(selection(), 5)) == RowListing([], 0)
    assert index.select(RowsByCollection(selection())) == {}
    assert values(index, "n") == ValueCounts((), 0)


def test_rows_are_counted_by_collection(index: Index) -> None:
    put(index, "a", ["one", "two"])
    put(index, "b", ["one"], collection="vault")
    put(index, "c", ["one"], for_tags("hr"), collection="personnel")
    requested = selection(collections=("handbook", "vault", "personnel", "unknown"))
    assert index.select(RowsByCollection(requested)) == {"handbook": 2, "vault": 1}
    assert index.select(RowsByCollection(replace(requested, principal=someone("hr")))) == {
        "handbook": 2,
        "vault": 1,
        "personnel": 1,
    }
    assert index.select(RowsByCollection(replace(requested, documents=frozenset({"b", "c"})))) == {"vault": 1}


def test_values_are_counted_by_frequency_and_kind(index: Index) -> None:
    first = metadata_from_mapping({"n": 1, "tags": ["a", "b", "a"], "due": "2024-05-31", "marks": [2, 2, 1]})
    second = metadata_from_mapping({"n": True, "tags": ["b", "2024-05-31"], "due": "soon", "marks": []})
    third = metadata_from_mapping({"n": "1", "tags": "b", "due": "2024-01-01", "marks": -3})
    put(index, "a", ["one", "two"], metadata={**first, "/title": "Plan", **CURRENT})
    put(index, "b", ["one"], metadata={**second, "/title": "2024-05-31", **CURRENT})
    put(index, "c", ["one"], metadata={**third, "/title": "Plan", **CURRENT})
    put(index, "d", ["one"], for_tags("hr"), metadata={"n": 7.0, "/title": "Secret", **CURRENT})
    day, earlier = date(2024, 5, 31), date(2024, 1, 1)
    assert values(index, "n") == ValueCounts(((1.0, 2), (True, 1), ("1", 1)), 0)
    assert [type(value) for value, _ in values(index, "n").counts] == [float, bool, str]
    assert values(index, "tags") == ValueCounts((("b", 4), ("a", 2), (day, 1)), 0)
    assert values(index, "due") == ValueCounts(((day, 2), (earlier, 1), ("soon", 1)), 0)
    assert values(index, "marks") == ValueCounts(((1.0, 2), (2.0, 2), (-3.0, 1)), 0)
    assert values(index, "/title") == ValueCounts((("Plan", 3), (day, 1)), 0)
    assert values(index, "tags", 1) == ValueCounts((("b", 4),), 3)


@pytest.mark.parametrize("odd", ["", "a.b", ".*", "n|due", "/rows/", "x\x1fy", "é", '"', "@", "~", "x" * 2_000])
def test_a_field_that_no_document_has_has_no_value(index: Index, odd: str) -> None:
    put(index, "a", ["one"], metadata={"n": 1.0, "due": "soon", **CURRENT})
    assert values(index, odd) == ValueCounts((), 0)


def test_fields_whose_names_begin_alike_are_counted_apart(index: Index) -> None:
    put(index, "a", ["one"], metadata={"n": "x", "n-1": "y", "n_1": ("z",), "na": 1.0, **CURRENT})
    found = [values(index, field).counts for field in ("n", "n-1", "n_1", "na")]
    assert found == [(("x", 1),), (("y", 1),), (("z", 1),), ((1.0, 1),)]


@EVERY_SERVICE
def test_rows_of_two_versions_count_until_one_is_pruned(index: Index) -> None:
    put(index, "d", ["one", "two"], metadata={"n": 1.0, **CURRENT})
    put(index, "d", ["one", "three", "four"], version=2, metadata={"n": 2.0, **CURRENT})
    assert index.select(RowsByCollection(selection())) == {"handbook": 5}
    assert values(index, "n") == ValueCounts(((2.0, 3), (1.0, 2)), 0)
    index.prune("d", 2)
    assert index.select(RowsByCollection(selection())) == {"handbook": 3}
    assert values(index, "n") == ValueCounts(((2.0, 3),), 0)
    assert index.select(FirstRows(selection(), 5)).total == 3
    index.set_readers("d", single_policy(for_tags("hr")))
    assert index.select(RowsByCollection(selection())) == {}
    assert index.select(FirstRows(selection(), 5)) == RowListing([], 0)


def test_rows_of_another_tenant_are_refused(index: Index) -> None:
    stranger = selection(replace(ANYONE, tenant="other"))
    with pytest.raises(Forbidden):
        index.select(FirstRows(stranger, 5))
    with pytest.raises(Forbidden):
        index.select(RowsByCollection(stranger))
    with pytest.raises(Forbidden):
        index.select(RowsByValue(stranger, "n", 5))


@dataclass(frozen=True, slots=True)
class World:
    """Documents as they were put, with what decides about each."""

    segments: Mapping[str, Sequence[Segment]]
    policies: Mapping[str, Policy]
    metadata: Mapping[str, Metadata]

    def selected(self, requested: RowSelection) -> list[Segment]:
        """Return the segments that an evaluation of every document selects, in order."""
        return [
            each
            for doc_id in sorted(self.segments)
            for each in self.segments[doc_id]
            if decide(requested.principal, single_policy(self.policies[doc_id]))
            and each.collection in requested.collections
            and (requested.documents == ALL_DOCUMENTS or doc_id in requested.documents)
            and (requested.where is None or matches(requested.where, self.metadata[doc_id]))
        ]


def any_policy(random: Random) -> Policy:
    public = random.random() < 0.3
    users, any_tags, all_tags = (
        frozenset(random.sample(names, random.randrange(len(names)))) for names in (USERS, TAGS, TAGS)
    )
    return Policy(public=public, users=users, any_tags=any_tags, all_tags=all_tags)


def any_selection(random: Random) -> RowSelection:
    who = Principal(TENANT, random.choice((None, *USERS)), frozenset(random.sample(TAGS, random.randrange(4))))
    named = frozenset(random.sample([f"d{number:02}" for number in range(DOCUMENTS)], DOCUMENTS // 2))
    return RowSelection(
        principal=who,
        collections=random.sample(COLLECTIONS, random.randrange(1, 4)),
        documents=random.choice((ALL_DOCUMENTS, named)),
        where=random.choice((None, any_tree(random))),
    )


def filled(index: Index, random: Random) -> World:
    names = [f"d{number:02}" for number in range(DOCUMENTS)]
    policies = {name: any_policy(random) for name in names}
    metadata = {name: any_document(random) for name in names}
    segments = {
        name: put(
            index,
            name,
            [f"tea {place}" for place in range(random.randrange(1, 4))],
            policies[name],
            collection=random.choice(COLLECTIONS),
            metadata={**metadata[name], **CURRENT},
        )
        for name in names
    }
    return World(segments, policies, metadata)


def answers(index: Index, requested: RowSelection) -> list[object]:
    """Return every answer of an engine about a selection."""
    counted = [index.select(RowsByValue(requested, field, MOST)) for field in (*FIELDS, *OWN_FIELDS)]
    return [
        index.select(FirstRows(requested, MOST)),
        sorted(index.select(RowsByCollection(requested)).items()),
        *counted,
    ]


def evaluated(world: World, requested: RowSelection) -> list[object]:
    """The same from an evaluation in memory."""
    selected = world.selected(requested)
    counted = [
        most_frequent(
            [(world.metadata[each.doc_id][field], 1) for each in selected if field in world.metadata[each.doc_id]],
            MOST,
        )
        for field in (*FIELDS, *OWN_FIELDS)
    ]
    numbers = Counter(each.collection for each in selected)
    return [RowListing(selected[:MOST], len(selected)), sorted(numbers.items()), *counted]


def test_random_selections_give_what_memory_gives_and_hidden_documents_change_nothing(index: Index) -> None:
    random = Random(31)
    world = filled(index, random)
    selections = [any_selection(random) for _ in range(SELECTIONS)]
    before = [answers(index, requested) for requested in selections]
    exact, met = 0, 0
    for requested, found in zip(selections, before, strict=True):
        expected = evaluated(world, requested)
        if requested.where is None or index_filter(requested.where).is_exact:
            exact += 1
            met += expected[0] != RowListing([], 0)
            assert found == expected, requested
        else:
            listed = index.select(FirstRows(requested, 1_000)).segments
            assert {each.uid for each in listed} >= {each.uid for each in world.selected(requested)}, requested
    assert (exact, met) > (SELECTIONS * 0.7, SELECTIONS * 0.3)
    nobodys = replace(PUBLIC, public=False, any_tags=frozenset({"nobody"}))
    closed = [f"{name}x" for name in sorted(world.segments)[:12]]
    for name in closed:
        held = {**any_document(random), **CURRENT}
        put(index, name, ["tea 0", "tea 1"], nobodys, collection=random.choice(COLLECTIONS), metadata=held)
    assert repr([answers(index, requested) for requested in selections]) == repr(before)
    for name in closed:
        index.prune(name, None)
    assert repr([answers(index, requested) for requested in selections]) == repr(before)
