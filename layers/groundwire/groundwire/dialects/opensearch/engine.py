"""Indexes as a caller sees them: lists, mappings, searches and counts."""

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from groundwire.dialects.opensearch.errors import QUERY_SHARD, OpenSearchError, domain_errors
from groundwire.dialects.opensearch.hits import field_value, hit_of, sort_value
from groundwire.dialects.opensearch.index_facts import IndexFacts, index_uuid, mapping_of
from groundwire.dialects.opensearch.index_names import IndexNames
from groundwire.dialects.opensearch.passages import FoundPassages, PassageSearch
from groundwire.dialects.opensearch.query.fields import IndexFields
from groundwire.dialects.opensearch.query.parsed import ParsedQuery, all_of
from groundwire.dialects.opensearch.query.search.aggregations import TermsAggregation, aggregation_answer
from groundwire.dialects.opensearch.query.search.search_body import ParsedSearch, parse_count_body, parse_search_body
from groundwire.dialects.opensearch.query.search.sorting import sort_items
from groundwire.dialects.shared.quotations import passage_addresses
from groundwire.domain.passages.value_counts import NO_VALUE_COUNTS, ValueCounts, most_frequent
from groundwire.domain.search.request import ALL_DOCUMENTS
from groundwire.services.search.listing import PassageSelection
from groundwire.services.search.results import Passage, SearchResult

if TYPE_CHECKING:
    from groundwire.dialects.declaration.services import DialectServices
    from groundwire.services.call_context import CallContext

_MILLISECONDS = 1000


class PreparedSearch(NamedTuple):
    """A search that has been read: the indexes that exist for the caller, and what is wanted of them."""

    names: Sequence[str]
    wanted: ParsedSearch


class EngineAnswer(NamedTuple):
    """Answer of a search.

    Attributes:
        body: the answer as JSON.
        result: what the search could not do, for the audit record. shown: passages of the hits.
    """

    body: dict[str, Any]
    result: SearchResult
    shown: Sequence[Passage]


class Engine:
    """Indexes of the dialect: each collection that exists for the caller is one, and each passage is a document.

    Arguments `names` are names, patterns with `*`, `_all`, and `-x` after a pattern; None means all. Arguments `found`
    are what `names` returned. All methods raise `OpenSearchError`: for a name without a pattern that does not exist for
    the caller, `no such index [x]`.
    """

    def __init__(self, services: "DialectServices") -> None:
        self._services = services
        self._names = IndexNames(services)
        self._passages = PassageSearch(services)

    def names(self, call: "CallContext", names: Sequence[str] | None, *, ignores_unknown: bool = False) -> list[str]:
        """Return the names of the indexes: in the order of the names, by name where a pattern names several.

        Args:
            call: whose rights decide what exists.
            names: names and patterns.
            ignores_unknown: a name without a pattern that does not exist is left out instead of an error.
        """
        with domain_errors(call):
            return self._names.expand(call, names, ignores_unknown=ignores_unknown)

    def indices(self, call: "CallContext", names: Sequence[str] | None) -> list[IndexFacts]:
        """Return the facts of the indexes, in the order of `names`."""
        with domain_errors(call):
            found = self._names.expand(call, names)
            counts = self._count(call, found)
            created = {
                each.name: each.created_at for each in self._services.reading.readable_collections.all(call.caller)
            }
        tenant = call.caller.principal.tenant
        return [IndexFacts(name, index_uuid(tenant, name), counts.get(name, 0), created.get(name)) for name in found]

    def mappings(self, call: "CallContext", names: Sequence[str] | None) -> dict[str, Mapping[str, Any]]:
        """Return by index the object `{"properties": …}` of the fields that the caller may read."""
        with domain_errors(call):
            found = self._names.expand(call, names)
            dimension = self._services.reading.passage_listing.dimension(call.caller)
            return {
                name: mapping_of(self._services.reading.readable_fields(call.caller, [name]), dimension)
                for name in found
            }

    def search(
        self, call: "CallContext", names: Sequence[str] | None, body: Mapping[str, Any], narrowing: ParsedQuery
    ) -> dict[str, Any]:
        """Return the answer of `_search` to a body, `took` included; all hits fulfil `narrowing`, too."""
        prepared = self.prepare(call, self.names(call, names), body)
        wanted = prepared.wanted._replace(query=all_of([prepared.wanted.query, narrowing]))
        answer = self.run(call, prepared._replace(wanted=wanted))
        call.audit_fields.update(answer.result.audit_fields(answer.shown))
        return answer.body

    def prepare(self, call: "CallContext", found: Sequence[str], body: Mapping[str, Any]) -> PreparedSearch:
        """Return the search of a body, which is read and not yet run.

        Args:
            call: whose rights apply.
            found: indexes that exist for the caller.
            body: the body.
        """
        with domain_errors(call), _naming_indexes(call, found):
            return PreparedSearch(found, parse_search_body(body, self._fields(call, found)))

    def run(self, call: "CallContext", search: PreparedSearch) -> EngineAnswer:
        """Return the answer of a search."""
        started_at = self._services.reading.clock()
        with domain_errors(call), _naming_indexes(call, search.names):
            answer = self._search(call, search.names, search.wanted)
        took = max(0, round((self._services.reading.clock() - started_at) * _MILLISECONDS))
        return answer._replace(body={"took": took, "timed_out": False, "_shards": _shards(search.names), **answer.body})

    def count(
        self, call: "CallContext", found: Sequence[str], body: Mapping[str, Any], narrowing: ParsedQuery
    ) -> dict[str, Any]:
        """Return the answer of `_count` to a body; arguments as in `search` and `prepare`."""
        with domain_errors(call), _naming_indexes(call, found):
            query = all_of([parse_count_body(body, self._fields(call, found)), narrowing])
            total = self._passages.count(call, found, query)
        return {"count": total, "_shards": _shards(found)}

    def _fields(self, call: "CallContext", names: Sequence[str]) -> IndexFields:
        return IndexFields(self._services.reading.readable_fields(call.caller, names) if names else {})

    def _count(self, call: "CallContext", names: Sequence[str]) -> Mapping[str, int]:
        return (
            self._services.reading.passage_listing.count(call.caller, PassageSelection(names, ALL_DOCUMENTS, None))
            if names
            else {}
        )

    def _search(self, call: "CallContext", names: Sequence[str], wanted: ParsedSearch) -> EngineAnswer:
        found = self._passages.find(call, names, wanted)
        ordered = found.passages
        if wanted.sort:
            scores = found.scores
            ordered = sort_items(
                ordered, wanted.sort, lambda each, order: sort_value(each, scores[each.segment.uid], order)
            )
        shown = ordered[wanted.start : wanted.start + wanted.size]
        address = passage_addresses(self._services.reading.source_links.cite, call.caller)
        hits = [hit_of(each, found.scores[each.segment.uid], wanted.source, wanted.sort, address) for each in shown]
        total = {"total": {"value": found.total, "relation": "eq" if found.is_exact else "gte"}}
        # Of all hits, shown or not; without an index the engine has a best score of nothing, without a hit it has none.
        is_scored = wanted.size > 0 and not wanted.sort
        best_score = (max(found.scores.values(), default=None) if is_scored else None) if names else 0.0
        answer: dict[str, Any] = {
            "hits": {**(total if wanted.counts_hits else {}), "max_score": best_score, "hits": hits}
        }
        if wanted.aggregations:
            answer["aggregations"] = {
                each.shown_name: aggregation_answer(self._values(call, names, wanted, found, each), each.meta)
                for each in wanted.aggregations
            }
        return EngineAnswer(answer, SearchResult((), found.degradation, found.acl_mismatches), shown)

    def _values(
        self,
        call: "CallContext",
        names: Sequence[str],
        wanted: ParsedSearch,
        found: FoundPassages,
        aggregation: TermsAggregation,
    ) -> ValueCounts:
        field = aggregation.field
        if field is None or field.stored is None:
            return NO_VALUE_COUNTS
        # All passages are at hand, so that counting them needs no second read.
        if found.is_complete:
            values = (field_value(each, field) for each in found.passages)
            return most_frequent(((value, 1) for value in values if value is not None), aggregation.buckets)
        selection = PassageSelection(names, ALL_DOCUMENTS, wanted.query.where)
        return self._services.reading.passage_listing.count_values(
            call.caller, selection, field.stored, aggregation.buckets
        )


@contextmanager
def _naming_indexes(call: "CallContext", names: Sequence[str]) -> Generator[None]:
    """Have errors of shards name the searched indexes."""
    try:
        yield
    except OpenSearchError as error:
        error.indexes = names
        if error.type == QUERY_SHARD and names:
            error.members = {"index": names[0], "index_uuid": index_uuid(call.caller.principal.tenant, names[0])}
        raise


def _shards(names: Sequence[str]) -> dict[str, int]:
    """Return one shard for each index that the caller sees."""
    return {"total": len(names), "successful": len(names), "skipped": 0, "failed": 0}
