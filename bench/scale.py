"""`rag_search` over very many segments: `python -m bench.scale [--segments N] [--policies N] [--calls N] [--json]`.

`groundwire serve` runs in a process of its own. Calls are followed by their anchors in this process: E,
embedding the same five phrases, and V, five dot products over as many vectors in one thread. Before it, the index by
itself: how fast it opens, how soon it has what is new, how many of the nearest vectors it finds, and what the parts of
a search take and read. `--home` keeps the filled home for further runs.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final

import numpy as np

from bench.corpus import Corpus
from bench.home import EVERYTHING, POLICIES, TAGS, TENANT, USER, fill
from bench.index_alone import IndexAlone, disk_megabytes, dot_products, milliseconds, resident_megabytes
from bench.machine import this_machine
from bench.multiplied import multiply
from bench.page_cache import forget, reading
from bench.report import Figures, Goal, Report
from bench.server import GROUNDWIRE, Client, segments_in, serving
from groundwire.domain.access.policy import Principal
from groundwire.ports import Embedder, Phrase
from groundwire.settings import environment
from groundwire.wiring.local.services import LocalServices, open_home

PHRASES: Final = 5
IN_A_ROW: Final = 10
STARTS: Final = 3
SEARCHES: Final = 40
KEY: Final = "bench-key.json"
"""Written last: a home that holds it is filled."""
MADE_AT_MOST: Final = 100_000
"""More segments are copies of these with vectors of their own: their words would take hours to make."""
NOTE: Final = (
    "Texts: words of the model's vocabulary by Zipf's law, about 1,100 characters. Their vectors and those of four "
    "windows each are made up (unit vectors around 100 centres, seeded); the phrases are embedded for real. Of more "
    "than 100,000 segments the words repeat, the vectors do not."
)


@dataclass(frozen=True, slots=True)
class Times:
    """Milliseconds of calls and of their anchors, in turn."""

    calls: Sequence[float]
    embedding: float
    products: float

    @property
    def p50(self) -> float:
        """Median of the calls."""
        return float(np.median(self.calls))

    @property
    def p99(self) -> float:
        """99th percentile of the calls."""
        return float(np.percentile(self.calls, 99))

    def allowed(self, products: float) -> float:
        """E and so many V."""
        return self.embedding + products * self.products


class RoundTrips:
    """Calls through the gateway, some in a row, then their anchors."""

    def __init__(self, port: int, key: str, embedder: Embedder, corpus: Corpus, segments: int) -> None:
        self._port = port
        self._key = key
        self._embedder = embedder
        self._corpus = corpus
        random = np.random.default_rng(1)
        self._vectors = random.standard_normal((segments, embedder.model.dimension), np.float32)

    def take(self, tags: Sequence[str], number: int) -> Times:
        """About so many calls of somebody with these tags, ten and then their anchors; the first ten are thrown away.

        V reads as much memory as the index has: right before each call it would empty the server's caches every time.
        """
        client = client_of(self._port, self._key, tags)
        calls: list[float] = []
        anchors: list[tuple[float, float]] = []
        try:
            for _ in range(1 + max(1, number // IN_A_ROW)):
                requested = [self._corpus.phrases(PHRASES) for _ in range(IN_A_ROW)]
                calls += [timed_call(client, phrases) for phrases in requested]
                anchors += [
                    (milliseconds(lambda one=phrases: self._embedder.embed(one, "query")), milliseconds(self._multiply))
                    for phrases in requested
                ]
        finally:
            client.close()
        embeddings, products = zip(*anchors[IN_A_ROW:], strict=True)
        return Times(calls[IN_A_ROW:], float(np.median(embeddings)), float(np.median(products)))

    def _multiply(self) -> None:
        dot_products(self._vectors, self._vectors[:PHRASES])


def timed_call(client: Client, phrases: Sequence[str]) -> float:
    """Return the milliseconds of a call that finds something."""
    has_started = perf_counter()
    body = client.exchange(client.request(phrases))
    taken = (perf_counter() - has_started) * 1e3
    if segments_in(body) == 0:
        raise RuntimeError("A call found nothing: its time would mean nothing.")
    return taken


def client_of(port: int, key: str, tags: Sequence[str]) -> Client:
    """Return a client of somebody with these tags."""
    identity = {"x-user-id": USER, "x-session-tags": json.dumps(tags)}
    return Client(port, {"Authorization": f"Bearer {key}", **identity})


def first_call(port: int, key: str, corpus: Corpus) -> float:
    """Return the milliseconds of a single call of somebody who may read a tenth."""
    client = client_of(port, key, TAGS)
    try:
        return timed_call(client, corpus.phrases(PHRASES))
    finally:
        client.close()


def filled(services: LocalServices, corpus: Corpus, segments: int, policies: int) -> str:
    """The key of the home, which is filled first unless it was before."""
    path = services.settings.home / KEY
    if not path.is_file():
        times = max(1, segments // MADE_AT_MOST)
        key = fill(services, corpus, segments // times, policies).key
        services.stores.indexes.close()
        multiply(services, path.parent / "tenants" / TENANT / "index.db", times, seed=segments)
        path.write_text(json.dumps(key), encoding="utf-8")
    return str(json.loads(path.read_text(encoding="utf-8")))


def parts(index: IndexAlone, embedder: Embedder, corpus: Corpus) -> list[Figures]:
    """Tables of a search of the index alone: milliseconds and megabytes by part."""
    drawn = [corpus.phrases(PHRASES) for _ in range(SEARCHES)]
    questions = [
        [Phrase(text, vector) for text, vector in zip(texts, embedder.embed(texts, "query"), strict=True)]
        for texts in drawn
    ]
    callers = [Principal(TENANT, USER, frozenset(tags)) for tags in (TAGS, EVERYTHING)]
    tables = {
        "A search of the index by its parts, median ms": [index.stages(caller, questions) for caller in callers],
        "What a search of the index reads, MB": [index.bytes_read(caller, questions) for caller in callers],
    }
    return [
        Figures(title, ("", "a tenth", "all"), [(name, tenth.get(name, 0.0), whole[name]) for name in sorted(whole)])
        for title, (tenth, whole) in tables.items()
    ]


def alone(services: LocalServices, corpus: Corpus) -> tuple[list[Figures], float]:
    """Tables of the index by itself, and its recall."""
    everything = Principal(TENANT, USER, frozenset(EVERYTHING))
    index = IndexAlone(services.settings.home / "tenants", services.models.model, corpus, everything)
    try:
        building = index.opening()
        index.close()
        opening = index.opening()
        recall = index.recall()
        tables = parts(index, services.models.embedder, corpus)
        own, mapped = resident_megabytes()
        rows = [
            ("open and first search, the cache maybe built first", building, building),
            ("open and first search", opening, opening),
            *index.refreshes(),
            ("memory of its process, and mapped, MB", own, mapped),
        ]
    finally:
        index.close()
    rows.append(("disk, MB", disk_megabytes(services.settings.home), 0.0))
    columns = ("", "median", "longest")
    return [Figures("The index by itself, ms unless said otherwise", columns, rows), *tables], recall


@dataclass(frozen=True, slots=True)
class Starts:
    """First calls of servers that have reported that they are ready, in milliseconds.

    Attributes:
        cached: median of starts after another server, so that the system has the home's files in memory.
        uncached: after the system forgot them; the same as `cached` where it cannot be made to.
        disk: of reading 256 MB of them without a server.
    """

    cached: float
    uncached: float
    disk: float


def starts(home: Path, first: Callable[[int], float]) -> Starts:
    """Start a server, and measure its first call; `first` takes the port."""
    disk = reading(home)

    def start() -> float:
        with serving(home, GROUNDWIRE) as port:
            return first(port)

    start()
    cached = float(np.median([start() for _ in range(STARTS)]))
    uncached = [start() for _ in range(STARTS) if forget(home)]
    return Starts(cached, float(np.median(uncached)) if uncached else cached, disk)


def goals(tenth: Times, everything: Times, started: Starts, recall: float) -> list[Goal]:
    """Targets that are promised."""
    anchor = f"E {tenth.embedding:.1f}, V {tenth.products:.1f} ms"
    whole = f"E {everything.embedding:.1f}, V {everything.products:.1f} ms"
    return [
        Goal("filter admits a tenth, p50", tenth.p50, "ms", f"E + 0.6 V, {anchor}", tenth.allowed(0.6)),
        Goal("all admitted, p50", everything.p50, "ms", f"E + 0.7 V, {whole}", everything.allowed(0.7)),
        Goal("a tenth, p99 / p50", tenth.p99 / tenth.p50, "×", f"p50 {tenth.p50:.1f} ms", 2.0),
        Goal("all, p99 / p50", everything.p99 / everything.p50, "×", f"p50 {everything.p50:.1f} ms", 2.0),
        Goal("first search after start", started.cached / 1e3, "s", "the server reports that it is ready", 0.6),
        Goal(
            "the same, no file of the home in memory",
            started.uncached / 1e3,
            "s",
            f"1 s and D, reading 256 MB {started.disk:.0f} ms",
            1.0 + started.disk / 1e3,
        ),
        Goal("vectors among the ten nearest that are missed", 1 - recall, "", "exact comparison", 0.02),
    ]


def run(home: Path, segments: int, policies: int, calls: int, seed: int) -> Report:
    """The whole bench."""
    services = open_home(environment.read_settings({**os.environ, "GROUNDWIRE_HOME": str(home)}))
    corpus = Corpus(services.settings.model / "vocab.txt", services.models.model.dimension, seed)
    key = filled(services, corpus, segments, policies)
    machine = this_machine()
    tables, recall = alone(services, corpus)
    started = starts(home, lambda port: first_call(port, key, corpus))
    with serving(home, GROUNDWIRE) as port:
        round_trips = RoundTrips(port, key, services.models.embedder, corpus, segments)
        tenth, everything = round_trips.take(TAGS, calls), round_trips.take(EVERYTHING, calls)
    services.close()
    table = [
        (name, times.p50, times.p99, min(times.calls), times.embedding, times.products)
        for name, times in (("filter admits a tenth", tenth), ("all admitted", everything))
    ]
    columns = ("rag_search over HTTP, five phrases", "p50", "p99", "min", "E", "V")
    setting = {"segments": segments, "policies": policies, "calls": calls, "seed": seed}
    figures = [
        Figures("Calls and their anchors in turn, ms", columns, table),
        *tables,
    ]
    return Report("rag_search at scale", machine, setting, goals(tenth, everything, started, recall), figures, [NOTE])


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--segments", type=int, default=100_000)
    arguments.add_argument("--policies", type=int, default=POLICIES)
    arguments.add_argument("--calls", type=int, default=200)
    arguments.add_argument("--seed", type=int, default=7)
    arguments.add_argument("--home", type=Path, help="filled once, and kept")
    arguments.add_argument("--json", action="store_true")
    chosen = arguments.parse_args()
    with TemporaryDirectory(prefix="groundwire-bench-") as folder:
        home = (chosen.home or Path(folder)).absolute()
        run(home, chosen.segments, chosen.policies, chosen.calls, chosen.seed).show(as_json=chosen.json)


if __name__ == "__main__":
    main()
