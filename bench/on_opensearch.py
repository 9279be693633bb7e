"""`rag_search` on a real OpenSearch: `python -m bench.on_opensearch [--segments N] [--calls N] [--home DIR] [--json]`.

`groundwire serve` runs in a process of its own, its index on the node. Each call goes before or after its anchors in
this process, in turn: E, embedding the same five phrases, M, the very `_msearch` requests of that call, sent raw, and
W, those of its searches that count words, which a search by the engine's own statistics would not need.
Then how many of the truly nearest passages a filtered k-NN finds. The node is that of OPENSEARCH_URL, else one that
runs as long as the bench; `--home` keeps the home, for a node that keeps its index.
"""

import argparse
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from http import HTTPStatus
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, Final

import numpy as np
import urllib3

from bench.corpus import COLLECTION, Corpus, index_query
from bench.home import TAGS, TENANT, USER, fill
from bench.machine import this_machine
from bench.report import Figures, Goal, Report
from bench.scale import KEY
from bench.server import GROUNDWIRE, Client, segments_in, serving
from groundwire.adapters.local.registry.index_generations import SqliteIndexGenerations
from groundwire.adapters.opensearch import SERVICES, EngineClient, OpenSearchIndexes, ServiceRules, connect
from groundwire.adapters.opensearch.connection.client import compact_json
from groundwire.adapters.opensearch.connection.deadline import Deadline
from groundwire.adapters.opensearch.query import request_bodies as bodies
from groundwire.adapters.opensearch.schema.vectors import VECTOR, FieldVector, to_numbers
from groundwire.domain.access.policy import Principal
from groundwire.domain.limits import CANDIDATES_PER_SIGNAL
from groundwire.domain.search.fusion import DEFAULT_BM25_WEIGHT, PhraseScores, fuse
from groundwire.ports import Index, Phrase, RowKey
from groundwire.ports.indexes import IndexKind
from groundwire.settings import environment
from groundwire.wiring.local.services import LocalServices, open_home
from tests.support.engines import opensearch
from tests.support.worlds.exchange import exchange

PHRASES: Final = 5
RATIO: Final = 1.15
COUNTING: Final = 0.2
"""Largest share of the counts in a call's requests."""
WARM_UP: Final = 10
SHARES: Final = (0.01, 0.1, 0.5)
INDEX: Final = f"gw-{TENANT}-1"
_TEMPLATE: Final = "groundwire-bench"
_NEAREST: Final = 10
_PASSAGES: Final = 8
_QUESTIONS: Final = 20
_FILLING_S: Final = 600
NOTE: Final = (
    "Texts: words of the model's vocabulary by Zipf's law, about 1,100 characters, with vectors of passages and of "
    "four windows each that are made up (around 100 centres). The filter admits a tenth."
)

Body = Mapping[str, Any]


class Heard(EngineClient):
    """Client of the engine that records the searches."""

    def __init__(self, engine: EngineClient) -> None:
        vars(self).update(vars(engine))
        self.requests: list[str] = []

    def multi_search(self, index: str, bodies: Sequence[Body], deadline: Deadline) -> list[Any]:
        head = compact_json({"index": index})
        self.requests.append("".join(f"{head}\n{compact_json(body)}\n" for body in bodies))
        return super().multi_search(index, bodies, deadline)


@dataclass(frozen=True, slots=True)
class Round:
    """Milliseconds of a call and of its anchors, and how many requests it made of the node."""

    call: float
    embedding: float
    searching: float
    counting: float
    requests: int


class RoundTrips:
    """Calls through the gateway beside their parts."""

    def __init__(self, services: LocalServices, url: str, client: Client, corpus: Corpus) -> None:
        self._embedder = services.models.embedder
        self._url = url
        self._client = client
        self._corpus = corpus
        self._heard = Heard(connect(url, SERVICES["opensearch"], collection=None, login=None))
        self._indexes = _indexes(services, self._heard, SERVICES["opensearch"])
        self._pool = urllib3.PoolManager()

    def take(self, number: int) -> Iterator[Round]:
        """Yield the times of each call but the first ones."""
        for turn in range(number + WARM_UP):
            phrases = self._corpus.phrases(PHRASES)
            requests = self._requests(phrases)
            parts: list[Callable[[], object]] = [partial(self._call, phrases), partial(self._raw, requests)]
            # Whoever comes second finds what the node has just read.
            times = [(at, _milliseconds(parts[at])) for at in ((0, 1) if turn % 2 else (1, 0))]
            embedding = _milliseconds(partial(self._embedder.embed, phrases, "query"))
            counting = _milliseconds(partial(self._raw, [counts for each in requests if (counts := _counts(each))]))
            if turn >= WARM_UP:
                yield Round(dict(times)[0], embedding, dict(times)[1], counting, len(requests))

    def close(self) -> None:
        """Close the connections."""
        self._indexes.close()
        self._pool.clear()

    def _requests(self, phrases: Sequence[str]) -> list[str]:
        """Return the requests that a search sends to the node."""
        self._heard.requests.clear()
        index: Index = self._indexes.for_tenant(TENANT)
        vectors = self._embedder.embed(phrases, "query")
        requested = [Phrase(text, vector) for text, vector in zip(phrases, vectors, strict=True)]
        index.search(index_query(Principal(TENANT, USER, frozenset(TAGS)), requested, CANDIDATES_PER_SIGNAL), _select)
        return list(self._heard.requests)

    def _raw(self, requests: Sequence[str]) -> None:
        for lines in requests:
            headers = {"content-type": "application/x-ndjson"}
            self._pool.request("POST", f"{self._url}/_msearch", body=lines.encode(), headers=headers)

    def _call(self, phrases: Sequence[str]) -> None:
        if segments_in(self._client.exchange(self._client.request(phrases))) == 0:
            raise RuntimeError("A call found nothing: its time would mean nothing.")


def _select(scores: Sequence[PhraseScores]) -> Sequence[RowKey]:
    """Select as many rows as a search that answers with eight passages."""
    return [each.key for each in fuse(scores, {COLLECTION: DEFAULT_BM25_WEIGHT}, 3 * _PASSAGES)]


def _counts(lines: str) -> str:
    """Return the searches of a request that count words."""
    each = lines.splitlines(keepends=True)
    return "".join(head + body for head, body in zip(each[::2], each[1::2], strict=True) if "aggs" in json.loads(body))


def recalls(engine: EngineClient, index: str, corpus: Corpus, documents: Sequence[str]) -> list[tuple[str, float]]:
    """Return the share of the ten nearest passages under a filter that a filtered k-NN finds."""
    random = np.random.default_rng(3)
    rows: list[tuple[str, float]] = []
    for share in SHARES:
        found: list[float] = []
        for _ in range(_QUESTIONS):
            number = max(1, round(len(documents) * share))
            admitted = {"terms": {"doc_id": random.choice(documents, number, replace=False).tolist()}}
            query = to_numbers(corpus.question(), len(corpus.question()) // 4)
            exact, near = (
                _exactly(query, admitted),
                bodies.semantic_search(FieldVector(VECTOR, query), [admitted], _NEAREST),
            )
            answers = engine.multi_search(index, [exact, near], Deadline(60))
            truly, met = ({hit["fields"]["row"][0] for hit in answer["hits"]["hits"]} for answer in answers)
            found.append(len(truly & met) / len(truly))
        rows.append((f"{share:.0%} of the documents admitted", float(np.mean(found))))
    return rows


def _exactly(query: Sequence[float], admitted: Body) -> Body:
    """Return the search that compares each admitted passage, by a script that only an ordinary cluster runs."""
    script = {
        "lang": "knn",
        "source": "knn_score",
        "params": {"field": "vector", "query_value": query, "space_type": "innerproduct"},
    }
    passages = {"bool": {"filter": [bodies.PASSAGES, admitted]}}
    return {
        "size": _NEAREST,
        "query": {"script_score": {"query": passages, "script": script}},
        "_source": False,
        "docvalue_fields": ["row"],
    }


def _milliseconds(call: Callable[[], object]) -> float:
    started = perf_counter()
    call()
    return (perf_counter() - started) * 1e3


def _indexes(services: LocalServices, engine: EngineClient, rules: ServiceRules) -> OpenSearchIndexes:
    return OpenSearchIndexes(
        engine,
        rules,
        IndexKind.PASSAGES,
        SqliteIndexGenerations(services.stores.database, IndexKind.PASSAGES),
        lambda: services.models.model,
    )


def _fill(services: LocalServices, url: str, corpus: Corpus, segments: int) -> str:
    """Fill the home and return its key.

    No bulk waits until it is seen, as thousands of them would wait in turn, and nothing is to be seen until all is
    there: each look at an index makes a small graph of vectors, and thousands of them are made again when they merge.
    """
    unhurried = replace(SERVICES["opensearch"], refreshes=False)
    engine = connect(url, unhurried, collection=None, login=None)
    exchange(services, indexes=_indexes(services, engine, unhurried))
    kept = services.settings.home / KEY
    if not kept.is_file():
        unseen = {"index_patterns": [f"{INDEX}*"], "template": {"settings": {"refresh_interval": "-1"}}}
        _reported(url, "PUT", f"/_index_template/{_TEMPLATE}", unseen)
        kept.write_text(json.dumps(fill(services, corpus, segments).key), encoding="utf-8")
        _reported(url, "DELETE", f"/_index_template/{_TEMPLATE}")
        _reported(url, "PUT", f"/{INDEX}/_settings", {"refresh_interval": None})
    _reported(url, "POST", f"/{INDEX}/_refresh")
    return str(json.loads(kept.read_text(encoding="utf-8")))


def _reported(url: str, method: str, path: str, body: Body | None = None) -> None:
    """Send a request of an operator, which no adapter sends; raise RuntimeError if it fails."""
    answer = urllib3.request(method, url + path, json=body, timeout=_FILLING_S)
    if answer.status != HTTPStatus.OK:
        raise RuntimeError(f"{method} {path}: {answer.data[:300]!r}")


def run(home: Path, url: str, segments: int, calls: int, seed: int) -> Report:
    """Run the whole bench."""
    os.environ |= {"GROUNDWIRE_INDEX": url, "GROUNDWIRE_INDEX_SERVICE": "opensearch"}
    services = open_home(environment.read_settings({**os.environ, "GROUNDWIRE_HOME": str(home)}))
    corpus = Corpus(services.settings.model / "vocab.txt", services.models.model.dimension, seed)
    started = perf_counter()
    key = _fill(services, url, corpus, segments)
    filling = perf_counter() - started
    machine = this_machine()
    identity = {"Authorization": f"Bearer {key}", "x-user-id": USER, "x-session-tags": compact_json(TAGS)}
    with serving(home, GROUNDWIRE) as port, closing(Client(port, identity)) as client:
        round_trips = RoundTrips(services, url, client, corpus)
        with closing(round_trips):
            taken = list(round_trips.take(calls))
    engine = connect(url, SERVICES["opensearch"], collection=None, login=None)
    documents = [document.doc_id for document in services.stores.documents.all(TENANT, None)]
    recall = recalls(engine, INDEX, corpus, documents)
    engine.close()
    services.close()
    return _report(machine, taken, recall, {"segments": segments, "calls": calls, "filled in s": round(filling)})


def _report(
    machine: Any, taken: Sequence[Round], recall: Sequence[tuple[str, float]], setting: Mapping[str, object]
) -> Report:
    call, embedding, searching, counting = (
        float(np.median([getattr(each, name) for each in taken]))
        for name in ("call", "embedding", "searching", "counting")
    )
    most, usual = max(each.requests for each in taken), float(np.median([each.requests for each in taken]))
    anchor = f"E {embedding:.1f} + M {searching:.1f} ms"
    goals = [
        Goal("a call / (E + M), medians", call / (embedding + searching), "×", anchor, RATIO),
        Goal("W / M, medians", counting / searching, "×", f"W {counting:.1f} ms", COUNTING),
        Goal("requests to the node of one search, median", usual, "", "counts, words, what only words found", 3),
        Goal("the same, the most", most, "", "one more where similarities change the choice", 4),
    ]
    times = [
        (name, float(np.median(series)), float(np.percentile(series, 99)), min(series))
        for name, series in (
            ("rag_search over HTTP, five phrases", [each.call for each in taken]),
            ("E, embedding alone", [each.embedding for each in taken]),
            ("M, the same searches raw", [each.searching for each in taken]),
            ("W, those that count words", [each.counting for each in taken]),
        )
    ]
    figures = [
        Figures("Calls and their parts, ms", ("", "p50", "p99", "min"), times),
        Figures("Recall of the ten nearest passages", ("filter", "recall"), recall, digits=3),
    ]
    return Report("rag_search on OpenSearch", machine, setting, goals, figures, [NOTE])


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--segments", type=int, default=100_000)
    arguments.add_argument("--calls", type=int, default=100)
    arguments.add_argument("--seed", type=int, default=7)
    arguments.add_argument("--home", type=Path, help="filled once, and kept")
    arguments.add_argument("--json", action="store_true")
    chosen = arguments.parse_args()
    with TemporaryDirectory(prefix="groundwire-bench-") as folder, opensearch.running(opensearch.MEASURED) as url:
        home = (chosen.home or Path(folder)).absolute()
        run(home, url, chosen.segments, chosen.calls, chosen.seed).show(as_json=chosen.json)


if __name__ == "__main__":
    main()
