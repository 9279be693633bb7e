"""Backing indexes of a tenant in the engine: one per generation, named after tenant and number."""

import re
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, TypeVar

from groundwire.adapters.opensearch.connection.client import Body, EngineClient
from groundwire.adapters.opensearch.connection.deadline import SEARCH_SECONDS, Deadline
from groundwire.adapters.opensearch.connection.errors import IndexMissing
from groundwire.adapters.opensearch.schema.access_filter import Clause
from groundwire.adapters.opensearch.schema.mapping import check_mapping, remembers_refused_ids
from groundwire.adapters.opensearch.service_rules import ServiceRules
from groundwire.adapters.opensearch.write.index_mapping import IndexMapping
from groundwire.domain import errors
from groundwire.ports import IndexGeneration, IndexInspection, ModelId
from groundwire.ports.indexes import IndexKind

T = TypeVar("T")

_TENANT: Final = re.compile(r"[a-z0-9_-]{1,64}")
_MAX_INDEXES: Final = 1_000
"""Indexes in one answer about those of all tenants."""


@dataclass(frozen=True, slots=True)
class BackingIndex:
    """The engine's index of one generation.

    Attributes:
        name: the engine's name of it.
        model: model of its vectors.
        mapping: what this process knows of its mapping.
        check_generation: raises Superseded when the generation is neither live nor being built.
    """

    name: str
    model: ModelId
    mapping: IndexMapping
    check_generation: Callable[[], None]

    @contextmanager
    def checking_generation(self) -> Generator[None]:
        """Raise Superseded instead of Unavailable where the index is missing because another generation replaced it."""
        try:
            yield
        except IndexMissing:
            self.check_generation()
            raise

    def ask(self, ask: Callable[[], T], nothing: T) -> T:
        """Return what `ask` returns; `nothing` where the engine has no such index.

        It was deleted there, or is too new to be searched. The next ingestion creates it again.
        """
        try:
            return ask()
        except IndexMissing:
            self.check_generation()
            return nothing


class BackingIndexes:
    """Creates, finds and deletes backing indexes."""

    def __init__(self, engine: EngineClient, rules: ServiceRules, kind: IndexKind) -> None:
        self._engine = engine
        self._rules = rules
        self._kind = kind
        self._mappings: dict[tuple[str, IndexGeneration], IndexMapping] = {}

    def create(self, tenant: str, generation: IndexGeneration) -> None:
        """Create the generation's index; of several concurrent callers, one creates it."""
        self.mapping(tenant, generation).create()

    def mapping(self, tenant: str, generation: IndexGeneration) -> IndexMapping:
        """Return what this process knows of the generation's mapping."""
        name = backing_index_name(tenant, generation.number, self._kind)
        fresh = IndexMapping(self._engine, self._rules, name, generation.model)
        # `setdefault` is atomic, so that all threads share one mapping.
        return self._mappings.setdefault((tenant, generation), fresh)

    def inspect(self, name: str, model: ModelId) -> IndexInspection:
        """Return facts from the mapping that the engine has now, whatever this process knows of it."""
        found = self._engine.request("GET", f"/{name}/_mapping", None, Deadline(SEARCH_SECONDS))
        mappings = found[name]["mappings"]
        try:
            check_mapping(name, mappings, model)
            defect = None
        except errors.Conflict as error:
            defect = str(error)
        meta = mappings.get("_meta", {})
        own_ids = self._rules.custom_ids and not remembers_refused_ids(mappings)
        return IndexInspection(name, f"{meta.get('model')}/{meta.get('dimension')}", own_ids, defect)

    def with_rows(self, *filters: Clause) -> list[tuple[str, int]]:
        """Return tenant and number of the indexes of all tenants with rows that pass, by one request.

        Beyond `_MAX_INDEXES` only those with the most of such rows are found.
        """
        body: Body = {
            "size": 0,
            "track_total_hits": False,
            "query": {"bool": {"filter": list(filters)}},
            "aggs": {"indexes": {"terms": {"field": "_index", "size": _MAX_INDEXES}}},
        }
        found = self._engine.request("POST", f"/{ALL_INDEXES_PATTERN}/_search", body, Deadline(SEARCH_SECONDS))
        # Where there is no index at all there is no aggregation either.
        buckets = found.get("aggregations", {"indexes": {"buckets": []}})["indexes"]["buckets"]
        own_name = re.compile(f"gw-({_TENANT.pattern})-([0-9]+){_suffix(self._kind)}")
        named = (own_name.fullmatch(bucket["key"]) for bucket in buckets)
        return sorted((name[1], int(name[2])) for name in named if name is not None)

    def delete_all_except(self, tenant: str, numbers: set[int]) -> None:
        """Delete every other generation of the tenant, each by its exact name."""
        # The last 0 is the number, as no suffix has one.
        start, end = backing_index_name(tenant, 0, self._kind).rsplit("0", 1)
        own_name = re.compile(f"{re.escape(start)}([0-9]+){re.escape(end)}")
        path = f"/_resolve/index/{start}*{end}"
        found = self._engine.request("GET", path, None, Deadline(SEARCH_SECONDS))["indices"]
        for name in sorted(each["name"] for each in found):
            # Another tenant's name may begin in the same way.
            named = own_name.fullmatch(name)
            if named is not None and int(named[1]) not in numbers:
                self._delete(name)
        self._mappings = {
            each: mapping for each, mapping in self._mappings.items() if each[0] != tenant or each[1].number in numbers
        }

    def _delete(self, name: str) -> None:
        try:
            self._engine.request("DELETE", f"/{name}", None, Deadline(SEARCH_SECONDS))
        except IndexMissing:
            return


ALL_INDEXES_PATTERN: Final = "gw-*"
"""Pattern of every tenant's indexes, for a search that finds nothing."""


def backing_index_name(tenant: str, number: int, kind: IndexKind) -> str:
    """Return the engine's name of the index.

    Raises:
        InvalidInput: `tenant` is no tenant id, so it could name another's index.
    """
    if _TENANT.fullmatch(tenant) is None:
        raise errors.InvalidInput("A tenant id consists of small letters, digits, - and _, at most 64.")
    # Only names of indexes of passages end in a number, so no tenant's name makes two of them equal.
    return f"gw-{tenant}-{number}{_suffix(kind)}"


def _suffix(kind: IndexKind) -> str:
    return "" if kind is IndexKind.PASSAGES else f"-{kind}"
