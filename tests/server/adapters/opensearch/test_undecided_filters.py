"""A filter that rows of OpenSearch cannot decide finds low-ranked passages, too."""

from dataclasses import replace
from pathlib import Path

import pytest

from groundwire.domain.access.policy import Principal
from groundwire.domain.access.policy_source import DeclaredPolicy
from groundwire.domain.access.scopes import Scope
from groundwire.domain.filters.expression import TextMatch
from groundwire.domain.filters.index.index_filter import index_filter
from groundwire.domain.filters.outcomes import Language
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import ALL_COLLECTIONS, KeyKind
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.domain.limits import MAX_FILTERED_READS
from groundwire.domain.search.request import ALL_DOCUMENTS, SearchRequest
from groundwire.services.ingest.request import IngestRequest
from tests.support.isolation.policies import PUBLIC
from tests.support.opensearch.emulator import opened
from tests.support.registry.key_options import with_options
from tests.support.worlds.on_opensearch import open_world_at

DOCUMENTS = 150
LOW = {f"d{number}" for number in range(20, 121, 25)}
WHERE = TextMatch("room", ("", "archive", ""), Language.MILVUS)


def _request(tenant: str, doc_id: str) -> IngestRequest:
    text = f"Letter {doc_id}." if doc_id in LOW else f"The pump of plant {doc_id}."
    room = "the archive" if doc_id in LOW else "the office"
    request = IngestRequest(
        tenant,
        "default",
        f"/nowhere/{doc_id}.txt",
        f"{doc_id}.txt",
        text.encode,
        DeclaredPolicy(PUBLIC, None),
        doc_id,
        None,
    )
    return replace(request, metadata={"room": f"{room} {doc_id}"})


def test_the_few_passages_that_pass_are_found_however_low_they_rank(
    opensearch_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not index_filter(WHERE).is_exact
    with opened(opensearch_url, "opensearch", 0) as emulated, open_world_at(emulated, tmp_path, monkeypatch) as world:
        tenant, services = world.tenant("amber"), world.services
        requests = [_request(tenant, f"d{number}") for number in range(DOCUMENTS)]
        assert len(list(services.ingestion.batch(tenant, "default", requests, lambda _done, _total: None))) == DOCUMENTS
        principal = Principal(tenant, None, frozenset())
        caller = Caller(principal, "kid", KeyKind.ACT_AS, frozenset({Scope.SEARCH}), ALL_COLLECTIONS, USUAL_OPTIONS)
        caller = with_options(caller, floor=0.0)
        request = SearchRequest.for_caller(
            caller, ["pump plant"], collections=ALL_COLLECTIONS, documents=ALL_DOCUMENTS, where=WHERE
        )
        trace = services.reading.search.traced(caller, request)
        assert {each.document.doc_id for passage in trace.answer for each in (passage, *passage.also_in)} == LOW
        assert len(trace.fused) == min(DOCUMENTS, MAX_FILTERED_READS)
