"""Watch over what the engines receive: of each query the caller's own rights are a condition that nothing can widen."""

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

import pytest
from opensearchpy import OpenSearch

from groundwire.adapters.local.index.arrays.dtypes import Bools
from groundwire.adapters.local.index.index import EmbeddedIndex
from groundwire.adapters.local.index.selection.access_mask import AccessMaskBuilder
from groundwire.adapters.opensearch.connection.client import Body, EngineClient
from groundwire.adapters.opensearch.connection.deadline import Deadline
from groundwire.adapters.opensearch.query import row_answers
from groundwire.adapters.opensearch.query.candidate_query import candidate_query
from groundwire.adapters.opensearch.query.row_reader import RowReader
from groundwire.adapters.opensearch.query.search import search
from groundwire.adapters.opensearch.query.statistics import SeenLanguages
from groundwire.adapters.opensearch.schema.access_filter import Clause, readable_by
from groundwire.domain.keys.caller import Caller
from groundwire.ports import Hits, IndexQuery, ModelId, RowQuery, RowSelection, SelectRows
from groundwire.services.keys.request_authorizer import RequestAuthorizer

_LANGUAGES: Final = {"languages": {"buckets": [{"key": "en", "doc_count": 3}]}}
_COUNTED: Final = {**_LANGUAGES, "searched": _LANGUAGES, "earlier": {"doc_count": 1}}
"""Counts for which a search looks for words, and for rows of an earlier release, too."""


class RecordingEngine(EngineClient):
    """Engine without a hit, which keeps the bodies of its searches."""

    def __init__(self) -> None:
        super().__init__(OpenSearch(hosts=["http://127.0.0.1:1"]), login=None)
        self.bodies: list[Body] = []

    def multi_search(self, index: str, bodies: Sequence[Body], deadline: Deadline) -> list[Any]:
        """Return an answer without a hit for each body."""
        self.bodies += bodies
        return [self._answer(body) for body in bodies]

    @staticmethod
    def _answer(body: Body) -> dict[str, Any]:
        filters = body.get("aggs", {}).get("terms", {}).get("filters", {}).get("filters", {})
        counted = {"buckets": [], "sum_other_doc_count": 0}
        terms = {"buckets": {name: {"doc_count": 1} for name in filters}}
        hits = {"hits": [], "total": {"value": 0}}
        return {"hits": hits, "aggregations": {**_COUNTED, "terms": terms, "counted": counted}}


def is_conjunct(clause: Clause, body: Body) -> bool:
    """Return whether each row that a search finds, counts or chooses among passes the clause, whatever else it has."""
    if "post_filter" in body or "suggest" in body or "rescore" in body or _has_global(body.get("aggs", {})):
        return False
    [(kind, query)] = body["query"].items()
    if kind == "knn":
        [near] = query.values()
        [(kind, query)] = near["filter"].items()
    # Without `should` a row passes every part of these.
    return kind == "bool" and query.keys() <= {"filter", "must", "must_not"} and clause in query["filter"]


def _has_global(aggregations: Mapping[str, Any]) -> bool:
    """Return whether an aggregation counts rows outside of the query."""
    return any(
        "global" in each or "significant_terms" in each or _has_global(each.get("aggs", {}))
        for each in aggregations.values()
    )


@dataclass
class EngineWatch:
    """Checks of each query to an index.

    Attributes:
        caller: of the call in progress; None: nobody was admitted.
        wider: queries by which an engine could find a row beyond the caller's rights.
        filtered: number of checked queries with a filter.
        bodies: number of checked bodies.
    """

    caller: Caller | None = None
    wider: list[object] = field(default_factory=list[object])
    filtered: int = 0
    bodies: int = 0

    def check_search(self, query: IndexQuery, model: ModelId) -> None:
        """Check a search for passages."""
        if self.caller is None or query.granted != self.caller.collections:
            self.wider.append(query)
        candidates = candidate_query(query, model)
        if candidates is not None:
            engine = RecordingEngine()
            search(engine, "index", SeenLanguages(), candidates, lambda _scores: ())
            self._check_bodies(engine, query)

    def check_rows(self, query: RowQuery[Any]) -> None:
        """Check a query of the catalogue."""
        if not row_answers.is_void(query):
            engine = RecordingEngine()
            row_answers.answer(query, RowReader(engine, "index"))
            self._check_bodies(engine, query.rows)

    def check_mask(self, readable: Bools, mask: Bools) -> None:
        """Check the rows that the embedded engine chooses among."""
        if (mask & ~readable).any():
            self.wider.append(mask)

    def _check_bodies(self, engine: RecordingEngine, query: IndexQuery | RowSelection) -> None:
        assert engine.bodies, query
        is_own = self.caller is not None and query.principal == self.caller.principal
        rule = readable_by(query.principal)
        if not is_own or not all(is_conjunct(rule, body) for body in engine.bodies):
            self.wider.append(query)
        self.bodies += len(engine.bodies)
        self.filtered += query.where is not None


@contextmanager
def watched_engines() -> Generator[EngineWatch]:
    """Check each query until the end of the block."""
    watch = EngineWatch()
    authorize, find, select = RequestAuthorizer.__call__, EmbeddedIndex.search, EmbeddedIndex.select
    narrow = AccessMaskBuilder.narrow

    def authorized(self: RequestAuthorizer, headers: Mapping[str, str]) -> Any:
        decision = authorize(self, headers)
        watch.caller = decision.caller
        return decision

    def searched(self: EmbeddedIndex, query: IndexQuery, choose: SelectRows) -> Hits:
        watch.check_search(query, self.model)
        return find(self, query, choose)

    def selected(self: EmbeddedIndex, query: RowQuery[Any]) -> Any:
        watch.check_rows(query)
        return select(self, query)

    def narrowed(self: AccessMaskBuilder, readable: Bools, *more: Any) -> Bools:
        mask = narrow(self, readable, *more)
        watch.check_mask(readable, mask)
        return mask

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RequestAuthorizer, "__call__", authorized)
        patch.setattr(EmbeddedIndex, "search", searched)
        patch.setattr(EmbeddedIndex, "select", selected)
        patch.setattr(AccessMaskBuilder, "narrow", narrowed)
        yield watch
