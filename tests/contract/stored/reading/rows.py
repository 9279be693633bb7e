"""Rows of a tenant in OpenSearch, as the index adapter reads them."""

import struct
from collections.abc import Iterable, Sequence
from contextlib import closing
from typing import Any, Final

from groundwire.adapters.local.registry.database import Database
from groundwire.adapters.local.registry.index_generations import SqliteIndexGenerations
from groundwire.adapters.opensearch import SERVICES, OpenSearchIndexes, connect
from groundwire.adapters.opensearch.schema.packed_segment import to_segment
from groundwire.domain.access.policy import Policy, Principal, single_policy
from groundwire.domain.documents.segment import Segment
from groundwire.domain.filters.expression import Filter
from groundwire.domain.filters.own.parser import parse_filter
from groundwire.domain.keys.grants import ALL_COLLECTIONS
from groundwire.domain.search.request import ALL_DOCUMENTS, SearchMode
from groundwire.ports import (
    DocumentVersion,
    GenerationState,
    Index,
    IndexGeneration,
    IndexQuery,
    ModelId,
    Phrase,
    SegmentVectors,
)
from groundwire.ports.indexes import IndexKind

from .fixture import Fixture

TENANT: Final = "t_acme"
MODEL: Final = ModelId("maker/first@v1/8/int8", 8)
EVERYWHERE: Final = ("handbook", "letters")
_DEPTH: Final = 20
_NOBODY: Final = Policy(public=False, users=frozenset(), any_tags=frozenset(), all_tags=frozenset())


def read_rows(fixture: Fixture) -> dict[str, Any]:
    """Facts about what is sent to each service, without one."""
    return {service: _sent(fixture.lines(f"rows-{service}")) for service in SERVICES}


def _sent(requests: Sequence[Any]) -> dict[str, Any]:
    lines = [line for each in requests if each["method"] == "POST" for line in each["lines"]]
    passages = [line["segment"] for line in lines if "segment" in line]
    return {"segments": [segment_facts(to_segment(each)) for each in passages], "lines": len(lines)}


def search_service(fixture: Fixture, service: str, url: str, collection: str, region: str) -> dict[str, Any]:
    """Facts about an index that holds the rows of one service, reached at this address."""
    requests = fixture.lines(f"rows-{service}")
    rules = SERVICES[service]
    named, placed = (collection, region) if rules.signed else (None, None)
    database = Database(fixture.scratch / f"registry-{service}")
    with closing(database), closing(connect(url, rules, collection=named, login=None, region=placed)) as engine:
        generation_states = SqliteIndexGenerations(database, IndexKind.PASSAGES)
        generation_states.write(TENANT, GenerationState(IndexGeneration(1, MODEL), None, 1), None)
        index = OpenSearchIndexes(engine, rules, IndexKind.PASSAGES, generation_states, MODEL).for_tenant(TENANT)
        phrase = Phrase("weight of the pump", _vector(requests))
        person, nobody = Principal(TENANT, "ann", frozenset({"board"})), Principal(TENANT, None, frozenset())
        facts = {
            "ann": _found(index, person, phrase),
            "nobody": _found(index, nobody, phrase),
            "narrowed": _found(index, person, phrase, parse_filter("year = 2026")),
            "versions": sorted(
                (each.doc_id, each.version, rows) for each, rows in index.count_rows_by_version().items()
            ),
            "segments": [[segment_facts(each) for each in index.segments(version)] for version in _sorted(index)],
            "windows": [len(each.windows) for version in _sorted(index) for each in _vectors(index, version)],
        }
        index.set_readers("unread", single_policy(_NOBODY))
        return facts | {"withdrawn": _found(index, nobody, phrase)}


def _vector(requests: Sequence[Any]) -> bytes:
    """Return the vector of some passage."""
    lines = [line for each in requests if each["method"] == "POST" for line in each["lines"]]
    numbers = next(line["vector"] for line in lines if "segment" in line)
    return struct.pack(f"<{len(numbers)}f", *numbers)


def _found(index: Index, person: Principal, phrase: Phrase, where: Filter | None = None) -> list[str]:
    query = IndexQuery(person, ALL_COLLECTIONS, EVERYWHERE, ALL_DOCUMENTS, where, [phrase], SearchMode.HYBRID, _DEPTH)
    hits = index.search(query, lambda scores: scores[0].keys)
    return sorted({each.doc_id for each in hits.segments.values()})


def _sorted(index: Index) -> Iterable[DocumentVersion]:
    return sorted(index.count_rows_by_version(), key=lambda each: (each.doc_id, each.version))


def _vectors(index: Index, version: DocumentVersion) -> list[SegmentVectors]:
    return [each for _, each in sorted(index.vectors(version.doc_id).items())]


def segment_facts(segment: Segment) -> list[Any]:
    """All of a passage."""
    names = [segment.uid, segment.doc_id, segment.version, segment.collection, segment.ordinal, segment.title]
    texts = [segment.text, segment.headline, segment.summary, segment.context, segment.language]
    lists = [list(segment.heading_path), list(segment.keywords), list(segment.questions)]
    return [*names, *texts, *lists, segment.page_first, segment.page_last, segment.sketch.hex()]
