"""`rag_search` over HTTP beside its bare parts: `python -m bench.rag_search [--contract] [--segments N] [--calls N]`.

`groundwire serve` runs in a process of its own. Each call is followed by its anchors in this process: the bare
embedding of the same phrases, and the bare search of the index with them. A second round, with the stopwatch
in the server, says where the milliseconds of a call go. Calls are those of MCP clients; with `--contract` they have no
mark of MCP, so that the answer is that of Mindset's page, with up to twenty passages.
"""

import argparse
import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final

import numpy as np

from bench import watched
from bench.corpus import Corpus, index_query
from bench.home import TAGS, TENANT, USER, Filled, fill
from bench.machine import this_machine
from bench.report import Figures, Goal, Report
from bench.server import GROUNDWIRE, Client, segments_in, serving
from groundwire.domain.limits import CANDIDATES_PER_SIGNAL, DEFAULT_TOP_N
from groundwire.ports import Phrase
from groundwire.ports.index.halves import lexical_half
from groundwire.settings import environment
from groundwire.wiring.local.services import LocalServices, open_home
from groundwire_mcp.versions import LATEST_HANDSHAKE_VERSION, VERSION_HEADER

PHRASES: Final = 5
WARM_UP: Final = 20
RATIO: Final = 2.5
OVERHEAD_MS: Final = 2.5
HTTP: Final = "HTTP: client, socket, uvicorn, threads"
PARTS: Final = frozenset({watched.EMBEDDER, watched.INDEX_SEARCH, watched.INDEX_READ})
NOTE: Final = (
    "Texts: words of the model's vocabulary by Zipf's law, about 1,100 characters. Their vectors are made up "
    "(unit vectors around 100 centres); the phrases are embedded for real."
)


@dataclass(frozen=True, slots=True)
class Round:
    """Milliseconds of one call and of its anchors."""

    call: float
    embedding: float
    searching: float

    @property
    def overhead(self) -> float:
        """Return the time of the call that none of its parts accounts for."""
        return self.call - self.embedding - self.searching


class Anchors:
    """The parts of a call, bare, in this process, with the server's settings."""

    def __init__(self, services: LocalServices, filled: Filled) -> None:
        self._embedder = services.models.embedder
        self._index = lexical_half(services.stores.indexes.for_tenant(TENANT))
        self._caller = filled.caller

    def measure(self, phrases: Sequence[str]) -> tuple[float, float]:
        """Milliseconds of embedding, and in the index: the search, and reading as many rows as a call reads."""
        started = perf_counter()
        vectors = self._embedder.embed(phrases, "query")
        embedded = perf_counter()
        requested = [Phrase(text, vector) for text, vector in zip(phrases, vectors, strict=True)]
        query = index_query(self._caller, requested, CANDIDATES_PER_SIGNAL)
        self._index.search(query, lambda scores: scores[0].keys[: 3 * DEFAULT_TOP_N])
        return (embedded - started) * 1e3, (perf_counter() - embedded) * 1e3


def round_trips(client: Client, anchors: Anchors, corpus: Corpus, calls: int) -> Iterator[Round]:
    """Calls and anchors in turn, the first few thrown away."""
    for number in range(WARM_UP + calls):
        phrases = corpus.phrases(PHRASES)
        request = client.request(phrases)
        started = perf_counter()
        body = client.exchange(request)
        took = (perf_counter() - started) * 1e3
        if segments_in(body) == 0:
            raise RuntimeError("A call found nothing: its time would mean nothing.")
        embedding, searching = anchors.measure(phrases)
        if number >= WARM_UP:
            yield Round(took, embedding, searching)


def measure(home: Path, headers: Mapping[str, str], anchors: Anchors, corpus: Corpus, calls: int) -> list[Round]:
    """Against the command as it is installed."""
    with serving(home, GROUNDWIRE) as port:
        client = Client(port, headers)
        try:
            return list(round_trips(client, anchors, corpus, calls))
        finally:
            client.close()


def measure_stages(
    home: Path, headers: Mapping[str, str], anchors: Anchors, corpus: Corpus, calls: int
) -> list[dict[str, float]]:
    """Milliseconds by stage of each call, HTTP included, against the command under the stopwatch."""
    results = home / "stages.json"
    with serving(home, (sys.executable, "-m", "bench.watched", str(results))) as port:
        client = Client(port, headers)
        try:
            taken = [round_.call for round_ in round_trips(client, anchors, corpus, calls)]
        finally:
            client.close()
    steps: list[dict[str, float]] = json.loads(results.read_text(encoding="utf-8"))[-2 * len(taken) :]
    stages = [_sum(authorized, invoked) for authorized, invoked in zip(steps[::2], steps[1::2], strict=True)]
    return [
        {HTTP: call - 1e3 * sum(inside.values())} | {stage: 1e3 * seconds for stage, seconds in inside.items()}
        for call, inside in zip(taken, stages, strict=True)
    ]


def _sum(authorized: Mapping[str, float], invoked: Mapping[str, float]) -> dict[str, float]:
    """Add up the two steps of a call, which run on threads of their own, one after the other."""
    return {stage: authorized.get(stage, 0.0) + invoked.get(stage, 0.0) for stage in {**authorized, **invoked}}


def _headers(filled: Filled, *, is_contract: bool) -> dict[str, str]:
    """Return the headers of the calls; the version is the mark of an MCP client."""
    identity = {"x-user-id": USER, "x-session-tags": json.dumps(TAGS)}
    mark = {} if is_contract else {VERSION_HEADER: LATEST_HANDSHAKE_VERSION}
    return {"Authorization": f"Bearer {filled.key}", **identity, **mark}


def goals_of(taken: Sequence[Round]) -> list[Goal]:
    """Return the promised goals, with the median of all measurements."""
    call, embedding, searching, overhead = (series[0] for series in _series(taken))
    parts = f"embedding {embedding:.2f} + search {searching:.2f} ms"
    return [
        Goal("call / bare embedding, p50", call / embedding, "×", f"embedding {embedding:.2f} ms", RATIO),
        Goal("call − embedding − index, p50", overhead, "ms", parts, OVERHEAD_MS),
    ]


def round_trips_table(taken: Sequence[Round]) -> Figures:
    """Calls and anchors."""
    labels = (
        "rag_search over HTTP",
        "bare embedding of the same phrases",
        "bare index search and read with them",
        "what the call takes beside them",
    )
    rows = [(label, *series) for label, series in zip(labels, _series(taken), strict=True)]
    return Figures("Calls and their anchors in turn, ms", ("", "p50", "p99", "min"), rows)


def stages_table(stages: Sequence[Mapping[str, float]]) -> Figures:
    """Where the time goes inside a call."""
    beside = [sum(ms for stage, ms in one.items() if stage not in PARTS) for one in stages]
    named = [(stage, _percentiles([one.get(stage, 0.0) for one in stages])) for stage in (HTTP, *watched.CALL_STAGES)]
    named += [
        ("all beside embedder and index", _percentiles(beside)),
        ("the whole call", _percentiles([sum(one.values()) for one in stages])),
    ]
    title = "Where the milliseconds of a call go (stopwatch in the server, each without its inner stages), ms"
    return Figures(title, ("stage", "p50", "p99", "min"), [(stage, *series) for stage, series in named])


def _series(taken: Sequence[Round]) -> list[tuple[float, float, float]]:
    """Percentiles of calls, embeddings, searches and overheads."""
    columns = zip(*((one.call, one.embedding, one.searching, one.overhead) for one in taken), strict=True)
    return [_percentiles(column) for column in columns]


def _percentiles(numbers: Sequence[float]) -> tuple[float, float, float]:
    p50, p99 = np.percentile(numbers, [50, 99])
    return float(p50), float(p99), min(numbers)


def run(home: Path, segments: int, calls: int, seed: int, *, is_contract: bool) -> Report:
    """The whole bench in an empty home."""
    machine = this_machine()
    services = open_home(environment.read_settings({**os.environ, "GROUNDWIRE_HOME": str(home)}))
    corpus = Corpus(services.settings.model / "vocab.txt", services.models.model.dimension, seed)
    filled = fill(services, corpus, segments)
    anchors = Anchors(services, filled)
    headers = _headers(filled, is_contract=is_contract)
    taken = measure(home, headers, anchors, corpus, calls)
    stages = measure_stages(home, headers, anchors, corpus, max(1, calls // 2))
    threads = services.settings.threads
    services.close()
    setting = {
        "answer": "Mindset's page" if is_contract else "MCP clients",
        "segments": segments,
        "policies": filled.policies,
        "filter admits": f"{filled.admitted:.1%}",
        "calls": calls,
        "embedding threads": threads,
        "seed": seed,
    }
    tables = [round_trips_table(taken), stages_table(stages)]
    return Report("rag_search, five phrases, through the gateway", machine, setting, goals_of(taken), tables, [NOTE])


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--contract", action="store_true")
    arguments.add_argument("--segments", type=int, default=10_000)
    arguments.add_argument("--calls", type=int, default=400)
    arguments.add_argument("--seed", type=int, default=7)
    arguments.add_argument("--json", action="store_true")
    chosen = arguments.parse_args()
    with TemporaryDirectory(prefix="groundwire-bench-") as folder:
        report = run(Path(folder), chosen.segments, chosen.calls, chosen.seed, is_contract=chosen.contract)
        report.show(as_json=chosen.json)


if __name__ == "__main__":
    main()
