"""Filters of every language on a real engine: its answers are those of `matches`."""

from collections.abc import Generator
from pathlib import Path
from random import Random

import pytest

from groundwire.adapters.opensearch.backing_indexes import backing_index_name
from groundwire.adapters.opensearch.schema.metadata_filter import filter_clause
from groundwire.domain.filters.expression import Filter, matches
from groundwire.domain.filters.index.index_filter import index_filter
from groundwire.ports.indexes import IndexKind
from tests.support.documents.filters.trees import any_document, any_tree
from tests.support.documents.index_documents import MODEL, TENANT, put
from tests.support.opensearch.indexes import Opened, opened
from tests.support.opensearch.signed_calls import call

TREES = 10_000
PER_REQUEST = 1_000
DOCUMENTS = 25


@pytest.fixture
def plain(opensearch_url: str, tmp_path: Path) -> Generator[Opened]:
    with opened(opensearch_url, "opensearch", tmp_path, MODEL) as there:
        yield there


def found(url: str, trees: list[Filter]) -> list[set[str]]:
    """Return the documents that the engine finds by each filter, from one request."""
    lines: list[object] = []
    for where in trees:
        query = {"bool": {"filter": [{"term": {"kind": "passage"}}, filter_clause(where)]}}
        lines += [{}, {"size": DOCUMENTS, "_source": False, "docvalue_fields": ["doc_id"], "query": query}]
    status, answer = call(url, "POST", f"/{backing_index_name(TENANT, 1, IndexKind.PASSAGES)}/_msearch", lines)
    assert status == 200, answer
    hits = [each["hits"]["hits"] for each in answer["responses"]]
    return [{hit["fields"]["doc_id"][0] for hit in each} for each in hits]


def test_ten_thousand_random_trees_find_what_memory_finds(plain: Opened) -> None:
    random, index = Random(23), plain.indexes.for_tenant(TENANT)
    documents = {f"d{number:02}": any_document(random) for number in range(DOCUMENTS)}
    for doc_id, held in documents.items():
        put(index, doc_id, ["tea"], metadata=held)
    exact = 0
    for _ in range(TREES // PER_REQUEST):
        trees = [any_tree(random) for _ in range(PER_REQUEST)]
        for where, admitted in zip(trees, found(plain.emulated.url, trees), strict=True):
            expected = {doc_id for doc_id, held in documents.items() if matches(where, held)}
            if index_filter(where).is_exact:
                exact += 1
                assert admitted == expected, where
            else:
                assert admitted >= expected, where
    assert exact > TREES * 0.7
