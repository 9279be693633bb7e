"""Filters of every dialect only narrow: each engine receives the caller's rights as a condition of its own."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import product
from random import Random
from typing import Any, Final

import pytest

from groundwire.adapters.local.index.arrays.dtypes import Bools
from groundwire.adapters.local.index.selection.access_mask import AccessMaskBuilder
from groundwire.adapters.opensearch.query import request_bodies
from groundwire.adapters.opensearch.schema.access_filter import Clause, any_of
from groundwire.dialects import FOUNDRY
from groundwire.domain.access.policy import Principal
from groundwire.ports import IndexQuery, RowSelection
from tests.server.fuzz.azure_requests import AzureRequests
from tests.server.fuzz.barrage import Barrage
from tests.server.fuzz.engine_watch import watched_engines
from tests.server.fuzz.opensearch_requests import OpenSearchRequests
from tests.server.fuzz.vertex_requests import VertexRequests
from tests.support.clients.drawn_headers import drawn_headers
from tests.support.clients.valid_requests import Call, Draft
from tests.support.documents.filters.milvus_cases import any_filter, text_of
from tests.support.plugins.draws import SEED, examples
from tests.support.worlds.two_tenants import KEPT, LURE, RED, TwoTenants, opened

_REQUESTS: Final = 1_200
_OWN_PARTS: Final = (
    "year >= 2024",
    "department in (sales, legal)",
    "title = 'ledger'",
    "year = 1 or year != 1",
    "not missing = 1",
    "missing = 1 or not missing = 1",
)


_ODATA: Final = (
    "language eq 'en'",
    "language ne 'en' or language eq 'en'",
    "not (language eq 'xx')",
    "search.in(language, 'en,de') and language ne null",
    "language eq 'en' or (language ne 'en' or language eq null)",
)


def own_filters(random: Random) -> str:
    """Return a filter of the own grammar, which may hold for everything."""
    parts = random.sample(_OWN_PARTS, random.randint(1, 3))
    return random.choice((" and ", " or ")).join(f"({part})" for part in parts)


def default_calls(seed: int) -> list[Call]:
    """Return searches of the default dialect."""
    random = Random(seed)
    arguments: list[dict[str, Any]] = [
        {"search_phrases": [LURE], "filter": own_filters(random), **more}
        for _, more in product(range(20), ({}, {"top_n": 50}, {"collections": ["default"]}))
    ]
    return [("tools/call", {"name": "rag_search", "arguments": each}) for each in arguments]


def foundry_calls(seed: int) -> list[Call]:
    """Return searches of the Foundry dialect, some of whose filters hold for everything."""
    random = Random(seed)
    texts = [text_of(any_filter(random), random) for _ in range(40)]
    filters = [*texts, *(f'1 == 1 or file_path like "%" or ({text})' for text in texts)]
    tools = [tool for tool in FOUNDRY.tool_names if tool != "get_available_collections"]
    return [
        ("tools/call", {"name": tool, "arguments": {"query": LURE, "collection_names": ["default"], "filters": text}})
        for tool, text in product(tools, filters)
    ]


class FilteredAzureRequests(AzureRequests):
    """Requests whose filters name fields that every document has."""

    def draw(self) -> Draft:
        """Return the next request."""
        draft = super().draw()
        for name in ("knowledgeSourceParams", "targetIndexParams"):
            for source in draft.body.get(name, ()):
                source["filterAddOn"] = self._random.choice(_ODATA)
        return draft


class RestSearches:
    """Searches over REST."""

    def __init__(self, two_tenants: TwoTenants, random: Random) -> None:
        self._two_tenants = two_tenants
        self._random = random

    def remember(self, draft: Draft, answer: str) -> None:
        """Keep nothing: no search is continued by another."""

    def draw(self) -> Draft:
        """Return the next search."""
        headers = drawn_headers(self._random, self._two_tenants, ("api-key",))
        body = {"phrases": [LURE], "where": own_filters(self._random), "top_n": self._random.choice((1, 8, 50))}
        return Draft("POST", headers, body, "/v1/search")


def barrage(dialect: str, two_tenants: TwoTenants) -> Barrage:
    """Return requests of a dialect, mostly as their clients send them."""
    kinds = ("", "", "", "b")
    if dialect == "default":
        return Barrage(two_tenants, SEED, *kinds, calls=default_calls(SEED), often=12)
    if dialect == "foundry":
        [path] = FOUNDRY.mcp_paths
        return Barrage(two_tenants, SEED, *kinds, path=path, calls=foundry_calls(SEED), often=12)
    if dialect == "mindset and openai":
        return Barrage(two_tenants, SEED, *kinds)
    drafts = {
        "rest": RestSearches,
        "azure": FilteredAzureRequests,
        "opensearch": OpenSearchRequests,
        "vertex": VertexRequests,
    }
    return Barrage(two_tenants, SEED, *kinds, drafts=drafts[dialect])


@pytest.mark.parametrize(
    "dialect", ["default", "rest", "azure", "foundry", "opensearch", "vertex", "mindset and openai"]
)
def test_no_request_widens_what_an_engine_may_find(dialect: str, two_tenants: TwoTenants) -> None:
    with watched_engines() as watch:
        barrage(dialect, two_tenants).fire(examples(_REQUESTS))
    assert watch.wider == []
    assert watch.bodies > examples(_REQUESTS) // 2
    # Two dialects have no filter.
    assert watch.filtered > examples(_REQUESTS) // 30 or dialect == "mindset and openai"


def joins_filter_and_rights(patch: pytest.MonkeyPatch) -> None:
    scope = request_bodies.scope_filters

    def joined(query: IndexQuery | RowSelection) -> list[Clause]:
        return scope(query) if query.where is None else [any_of(scope(query))]

    patch.setattr(request_bodies, "scope_filters", joined)


def finds_what_the_filter_admits(patch: pytest.MonkeyPatch) -> None:
    narrow = AccessMaskBuilder.narrow

    def narrow_everything(self: AccessMaskBuilder, readable: Bools, *more: Any) -> Bools:
        return narrow(self, readable | True, *more)

    patch.setattr(AccessMaskBuilder, "narrow", narrow_everything)


def searches_with_more_tags(patch: pytest.MonkeyPatch) -> None:
    def query(principal: Principal, *more: Any) -> IndexQuery:
        return IndexQuery(replace(principal, tags=principal.tags | {KEPT, RED}), *more)

    patch.setattr("groundwire.services.search.search.IndexQuery", query)


BUGS: Final[Mapping[str, Callable[[pytest.MonkeyPatch], None]]] = {
    "joins the filter and the rights by or": joins_filter_and_rights,
    "finds what the filter admits": finds_what_the_filter_admits,
    "searches with tags that the call has not": searches_with_more_tags,
}


@pytest.mark.parametrize("bug", BUGS)
def test_a_product_is_found_that(bug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened() as two_tenants:
        BUGS[bug](monkeypatch)
        # The judge of the answers finds some of these, too.
        with watched_engines() as watch, suppress(AssertionError):
            barrage("foundry", two_tenants).fire(60)
        assert watch.wider
