"""Filters over metadata: exact at any selectivity, and never more than the access rule allows."""

import random
from collections.abc import Iterator
from datetime import date

import pytest

from groundwire.domain.documents.metadata import Metadata, Scalar, Value
from groundwire.domain.filters.expression import AllOf, AnyOf, Compare, Filter, Not, Operator
from groundwire.ports import VectorIndex
from tests.contract.index.adapters import EVERY_VECTOR_STORE
from tests.contract.index.test_access import any_policy, any_principal
from tests.support.documents.index_documents import ANYONE, PUBLIC, for_tags, found, put, readable, someone, texts
from tests.support.isolation import oracle

FIELDS = ("year", "team", "draft", "due", "labels")
SCALARS: tuple[Scalar, ...] = (
    2023.0,
    2024.0,
    1.0,
    True,
    False,
    "sales",
    "1.0",
    "",
    date(2024, 5, 31),
    date(2023, 1, 1),
)
VALUES: tuple[Value, ...] = (*SCALARS, ("sales", "hr"), ("hr",), (1.0, 2.0), ())


def any_metadata(random_: random.Random) -> Metadata:
    return {field: random_.choice(VALUES) for field in random_.sample(FIELDS, random_.randrange(4))}


def any_filter(random_: random.Random, depth: int = 3) -> Filter:
    match random_.randrange(4 if depth else 1):
        case 1:
            return AllOf(tuple(any_filter(random_, depth - 1) for _ in range(random_.randrange(3))))
        case 2:
            return AnyOf(tuple(any_filter(random_, depth - 1) for _ in range(random_.randrange(3))))
        case 3:
            return Not(any_filter(random_, depth - 1))
        case _:
            operator = random_.choice(tuple(Operator))
            several = operator is Operator.IN
            value = tuple(random_.sample(SCALARS, 2)) if several else random_.choice(SCALARS)
            return Compare(random_.choice(FIELDS), operator, value)


def passes(where: Filter, metadata: Metadata) -> bool:
    """A second judgement, by sets of pairs."""
    if isinstance(where, AllOf):
        return not [part for part in where.parts if not passes(part, metadata)]
    if isinstance(where, AnyOf):
        return bool([part for part in where.parts if passes(part, metadata)])
    if isinstance(where, Not):
        return not passes(where.part, metadata)
    assert isinstance(where, Compare)
    signs = set(compared(metadata.get(where.field, ()), where.value))
    return {
        Operator.EQ: "=" in signs,
        Operator.IN: "=" in signs,
        Operator.NE: "=" not in signs,
        Operator.LT: "<" in signs,
        Operator.LE: bool({"<", "<="} & signs),
        Operator.GT: ">" in signs,
        Operator.GE: bool({">", "<="} & signs),
    }[where.operator]


def compared(held: Value, wanted: Scalar | tuple[Scalar, ...]) -> Iterator[str]:
    """Yield the comparisons that hold between the values; "<=" includes equal values that have an order."""
    for one in held if isinstance(held, tuple) else (held,):
        for other in wanted if isinstance(wanted, tuple) else (wanted,):
            if str(type(one)) != str(type(other)):
                continue
            if one == other:
                yield "="
            if not isinstance(one, bool):
                yield "<=" if one == other else "<" if min(one, other) == one else ">"  # type: ignore[type-var]


def test_access_rule_and_filter_hold_together_in_ten_thousand_random_cases(vectors: VectorIndex) -> None:
    random_ = random.Random(20_240_531)
    documents = {f"d{number}": (any_policy(random_), any_metadata(random_)) for number in range(100)}
    for doc_id, (policy, metadata) in documents.items():
        put(vectors, doc_id, [f"text of {doc_id}"], policy, metadata=metadata)
    met = 0
    for _ in range(100):
        asking, where = any_principal(random_), any_filter(random_)
        allowed = {
            doc_id
            for doc_id, (policy, metadata) in documents.items()
            if oracle.may_read(asking.user, asking.tags, policy) and passes(where, metadata)
        }
        assert readable(vectors, asking, where) == allowed, (asking, where)
        met += len(allowed)
        doc_id = random_.choice(sorted(documents))
        documents[doc_id] = any_policy(random_), any_metadata(random_)
        put(vectors, doc_id, [f"text of {doc_id}"], documents[doc_id][0], metadata=documents[doc_id][1])
    assert met > 100


def test_a_filter_never_reveals_documents_that_the_access_rule_forbids(vectors: VectorIndex) -> None:
    put(vectors, "d", ["secret"], for_tags("hr"), metadata={"year": 2024.0})
    everything = (AllOf(()), Not(AnyOf(())), Compare("year", Operator.EQ, 2024.0), Compare("x", Operator.NE, 1.0))
    for where in everything:
        assert readable(vectors, ANYONE, where) == set()
        assert readable(vectors, someone("hr"), where) == {"d"}


def test_a_selective_filter_misses_no_hit(vectors: VectorIndex) -> None:
    for number in range(60):
        put(vectors, f"noise{number}", [f"holiday allowance {number}"], metadata={"year": 2023.0})
    put(vectors, "mine", ["holiday"], metadata={"year": 2024.0})
    scores = found(vectors, "holiday allowance", depth=1, where=Compare("year", Operator.EQ, 2024.0))
    assert texts(scores) == ["holiday"]


def test_a_filter_that_nothing_passes_finds_nothing(vectors: VectorIndex) -> None:
    put(vectors, "d", ["text"])
    assert readable(vectors, ANYONE, AnyOf(())) == set()


@pytest.mark.parametrize("first", [1.0, True])
def test_values_that_only_look_alike_are_distinguished_whichever_comes_first(
    vectors: VectorIndex, first: float
) -> None:
    put(vectors, "number", ["text"], metadata={"x": 1.0})
    put(vectors, "truth", ["text"], metadata={"x": True})
    put(vectors, "text", ["text"], metadata={"x": "1.0"})
    answers = {repr(value): readable(vectors, ANYONE, Compare("x", Operator.EQ, value)) for value in (first, 1.0, True)}
    assert answers == {"1.0": {"number"}, "True": {"truth"}}


def test_rows_put_after_a_filter_was_used_are_filtered_too(vectors: VectorIndex) -> None:
    where = Compare("team", Operator.EQ, "sales")
    for number in range(5):
        put(vectors, f"in{number}", ["text"], metadata={"team": "sales", "n": float(number)})
        put(vectors, f"out{number}", ["text"], metadata={"team": "hr", "n": float(number)})
        assert readable(vectors, ANYONE, where) == {f"in{n}" for n in range(number + 1)}


@EVERY_VECTOR_STORE
def test_other_metadata_of_the_same_version_takes_the_place_of_what_was_there(vectors: VectorIndex) -> None:
    put(vectors, "d", ["text"], PUBLIC, metadata={"team": "sales"})
    put(vectors, "d", ["text"], PUBLIC, metadata={"team": "hr"})
    assert readable(vectors, ANYONE, Compare("team", Operator.EQ, "sales")) == set()
    assert readable(vectors, ANYONE, Compare("team", Operator.EQ, "hr")) == {"d"}
    assert vectors.count_rows() == 1
