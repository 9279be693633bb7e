from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.domain.access.policy import Principal
from groundwire.domain.access.scopes import Scope
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import ALL_COLLECTIONS, CollectionGrant, KeyKind
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.domain.limits import MAX_TOP_N
from groundwire.domain.search.request import ALL_DOCUMENTS, SearchMode, SearchRequest

CALLER = Caller(
    Principal("t_acme", None, frozenset()),
    "kid",
    KeyKind.ACT_AS,
    frozenset({Scope.SEARCH}),
    ALL_COLLECTIONS,
    USUAL_OPTIONS,
)
NAMES = ("a", "b", "c", "ev", "every", "")
GRANTS = st.just(ALL_COLLECTIONS) | st.frozensets(st.sampled_from(NAMES))


def request(key: CollectionGrant, call: CollectionGrant, top_n: int | None = None) -> SearchRequest:
    return SearchRequest.for_caller(
        replace(CALLER, collections=key),
        ["words"],
        collections=call,
        documents=ALL_DOCUMENTS,
        where=None,
        top_n=top_n,
    )


@given(key=GRANTS, call=GRANTS, name=st.sampled_from(NAMES))
def test_a_request_includes_a_collection_that_both_key_and_call_include(
    key: CollectionGrant, call: CollectionGrant, name: str
) -> None:
    allowed = all(grant == ALL_COLLECTIONS or name in grant for grant in (key, call))
    assert request(key, call).includes_collection(name) == allowed


@pytest.mark.parametrize(
    ("key", "call", "is_empty"),
    [
        (ALL_COLLECTIONS, ALL_COLLECTIONS, False),
        (ALL_COLLECTIONS, frozenset({"a"}), False),
        (ALL_COLLECTIONS, frozenset[str](), True),
        (frozenset[str](), ALL_COLLECTIONS, True),
        (frozenset({"a"}), frozenset({"b"}), True),
    ],
)
def test_a_request_of_no_collection_is_empty(key: CollectionGrant, call: CollectionGrant, *, is_empty: bool) -> None:
    assert request(key, call).is_empty == is_empty


def test_a_request_of_no_document_is_empty() -> None:
    assert not request(ALL_COLLECTIONS, ALL_COLLECTIONS).is_empty
    assert replace(request(ALL_COLLECTIONS, ALL_COLLECTIONS), documents=frozenset()).is_empty


@pytest.mark.parametrize(("top_n", "kept"), [(None, 8), (1, 1), (20, 20), (MAX_TOP_N + 1, MAX_TOP_N), (0, 1), (-5, 1)])
def test_the_number_of_passages_is_the_keys_unless_the_call_names_one_within_the_bounds(
    top_n: int | None, kept: int
) -> None:
    assert request(ALL_COLLECTIONS, ALL_COLLECTIONS, top_n).top_n == kept


def test_a_search_is_hybrid_unless_the_call_names_another_mode() -> None:
    assert request(ALL_COLLECTIONS, ALL_COLLECTIONS).mode is SearchMode.HYBRID
