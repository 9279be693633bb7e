"""Groundwire beside them: documents through its own chunker, questions through the service that `rag_search` calls."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Final

from bench.peers.job import FILTERED, FOUND, Answers, Text, distinct
from groundwire.domain.access.policy import Policy, Principal
from groundwire.domain.access.scopes import Scope
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import ALL_COLLECTIONS, KeyKind
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.domain.search.fusion import DEFAULT_BM25_WEIGHT
from groundwire.domain.search.request import ALL_DOCUMENTS, SearchRequest
from groundwire.services.evaluate.corpus import COLLECTION, ingest_request
from groundwire.services.evaluate.test_set import CorpusDocument, doc_id_of
from groundwire.services.ingest.request import IngestRequest
from groundwire.settings.environment import Settings
from groundwire.wiring.local.services import LocalServices, open_home
from groundwire.wiring.local.test_sets import ensure_tenant

_PASSAGES: Final = 2 * FOUND
"""Number of passages per question, since a document may have several."""
_EVERY_TAG: Final = "all"
_WARM_UP: Final = 5


def answers(settings: Settings, documents: Sequence[Text], questions: Sequence[Text], timed: int) -> Answers:
    """Every question by somebody who may read all; the first `timed` again by somebody who may read a tenth."""
    services = open_home(settings)
    try:
        tenant = ensure_tenant(services, DEFAULT_BM25_WEIGHT)
        for _ in services.ingestion.batch(tenant, COLLECTION, list(_requests(tenant, documents)), _unheard):
            pass
        return _ask(services, tenant, {doc_id_of(one.id): one.id for one in documents}, questions, timed)
    finally:
        services.close()


def _unheard(_done: int, _total: int) -> None:
    """The run is short enough."""


def _requests(tenant: str, documents: Sequence[Text]) -> Iterator[IngestRequest]:
    for one in documents:
        readers = frozenset({_EVERY_TAG, f"tag:{one.tag}"})
        policy = Policy(public=False, users=frozenset(), any_tags=readers, all_tags=frozenset())
        yield replace(ingest_request(tenant, CorpusDocument(one.id, one.title, one.text)), policy=policy)


def _ask(services: LocalServices, tenant: str, names: dict[str, str], questions: Sequence[Text], timed: int) -> Answers:
    reader, tenth = _caller(tenant, _EVERY_TAG), _caller(tenant, f"tag:{FILTERED}")

    def search(question: Text, caller: Caller) -> tuple[list[str], float]:
        started = perf_counter()
        request = SearchRequest.for_caller(
            caller,
            [question.text],
            collections=ALL_COLLECTIONS,
            documents=ALL_DOCUMENTS,
            where=None,
            top_n=_PASSAGES,
            max_top_n=_PASSAGES,
        )
        passages = services.reading.search(caller, request).passages
        took = (perf_counter() - started) * 1e3
        return distinct([names[passage.document.doc_id] for passage in passages]), took

    for question in questions[:_WARM_UP]:
        search(question, tenth)
        search(question, reader)
    filtered = [search(question, tenth)[1] for question in questions[:timed]]
    answered = [(question.id, *search(question, reader)) for question in questions]
    return Answers({id_: found for id_, found, _ in answered}, [ms for *_, ms in answered[:timed]], filtered)


def _caller(tenant: str, tag: str) -> Caller:
    principal = Principal(tenant, None, frozenset({tag}))
    options = replace(USUAL_OPTIONS, top_n=_PASSAGES)
    return Caller(principal, "bench", KeyKind.ACT_AS, frozenset({Scope.SEARCH}), ALL_COLLECTIONS, options)
