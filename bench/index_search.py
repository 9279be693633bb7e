"""The embedded index alone: how long a search of five phrases takes, by how much the access filter admits.

`python bench/index_search.py [--segments 10000]` builds an index of made-up text (seeded, word frequencies by
Zipf's law) in a temporary folder and prints a table. Times are of one thread, in milliseconds.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from bench.corpus import COLLECTION, index_query, select_nothing
from groundwire.adapters.local.index import EmbeddedIndexes
from groundwire.domain.access.policy import Policy, Principal, single_policy
from groundwire.domain.documents.segment import Segment
from groundwire.ports import DocumentVersion, Index, ModelId, Phrase, SegmentInput

MODEL = ModelId("made-up", 384)
TENANT = "bench"
SEGMENTS_PER_DOCUMENT = 20
WORDS_PER_SEGMENT = 170
COMMON_WORDS = 25
"""Number of words left out of the phrases, whose words are then in as many passages as on SciFact (mean: 0.8)."""
POLICIES = 1_000
WINDOWS_PER_SEGMENT = 4
REPEATS = 60
DEPTH = 100
SHARES = (0.017, 0.1, 1.0)


class Corpus:
    """Made-up passages, phrases and vectors; the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self._random = np.random.default_rng(seed)
        letters = np.array(list("abcdefghijklmnopqrstuvwxyz"))
        lengths = self._random.integers(3, 11, 60_000)
        self._words = np.array(["".join(self._random.choice(letters, length)) for length in lengths])
        self._frequencies = 1.0 / np.arange(10, 10 + len(self._words)) ** 1.05

    def text(self, words: int, commonest: int) -> str:
        """Words by their frequency, the `commonest` ones left out."""
        cumulated = np.cumsum(self._frequencies[commonest:])
        drawn = np.searchsorted(cumulated, self._random.random(words) * cumulated[-1])
        return " ".join(self._words[commonest + drawn])

    def vectors(self) -> list[bytes]:
        """A random direction, and of the windows some near it."""
        numbers = self._random.standard_normal((1 + WINDOWS_PER_SEGMENT, MODEL.dimension)).astype("<f4")
        numbers[1:] += numbers[0]
        return [(row / np.linalg.norm(row)).tobytes() for row in numbers]

    def phrases(self) -> list[Phrase]:
        """Questions are made of rarer words than texts."""
        return [Phrase(self.text(10, COMMON_WORDS), self.vectors()[0]) for _ in range(5)]

    def document(self, number: int) -> list[SegmentInput]:
        """The segments of one document."""
        doc_id = f"doc{number}"
        return [
            SegmentInput(
                Segment(
                    f"{doc_id}.{ordinal}", doc_id, 1, COLLECTION, ordinal, self.text(WORDS_PER_SEGMENT, 0),
                    ("Made up", f"Section {ordinal}"), 1, 1, "A headline", "A summary.",
                ),
                passage,
                tuple(windows),
            )
            for ordinal in range(SEGMENTS_PER_DOCUMENT)
            for passage, *windows in [self.vectors()]
        ]  # fmt: skip


def policy(number: int) -> Policy:
    """The policy of every `POLICIES`-th document: one tag of its own."""
    tag = frozenset({f"group:{number % POLICIES}"})
    return Policy(public=False, users=frozenset(), any_tags=tag, all_tags=frozenset())


def reader(share: float, documents: int) -> Principal:
    """Someone whose tags admit `share` of the documents."""
    groups = range(round(share * min(POLICIES, documents)))
    return Principal(TENANT, None, frozenset(f"group:{number}" for number in groups))


def build(index: Index, corpus: Corpus, documents: int) -> None:
    for number in range(documents):
        index.put(DocumentVersion(f"doc{number}", 1), single_policy(policy(number)), corpus.document(number))


def timed(call: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    """Milliseconds."""
    begin = clock()
    call()
    return (clock() - begin) * 1e3


def search_row(index: Index, corpus: Corpus, share: float, documents: int) -> list[str]:
    principal = reader(share, documents)
    questions = [corpus.phrases() for _ in range(REPEATS)]
    first = timed(lambda: index.search(index_query(principal, questions[0], DEPTH), select_nothing))
    times = [timed(lambda q=q: index.search(index_query(principal, q, DEPTH), select_nothing)) for q in questions]
    p50, p99 = np.percentile(times, [50, 99])
    busy = [
        timed(lambda q=q: index.search(index_query(principal, q, DEPTH), select_nothing), time.thread_time)
        for q in questions
    ]
    cpu = np.median(busy)
    return [f"search, filter admits {share:.1%}", f"{p50:.2f}", f"{p99:.2f}", f"{first:.2f}", f"{cpu:.2f}"]


def new_callers_row(index: Index, corpus: Corpus, share: float, documents: int) -> list[str]:
    """Every search by another caller, whose rows are counted anew; with a tag more, all may read the same."""
    known = reader(share, documents)
    callers = [replace(known, tags=known.tags | {f"person:{number}"}) for number in range(REPEATS)]
    questions = [index_query(caller, corpus.phrases(), DEPTH) for caller in callers]
    started = time.thread_time()
    times = [timed(lambda q=q: index.search(q, select_nothing)) for q in questions]
    cpu = (time.thread_time() - started) * 1e3 / REPEATS
    p50, p99 = np.percentile(times, [50, 99])
    return [f"the same, each by a new caller, {share:.1%}", f"{p50:.2f}", f"{p99:.2f}", "", f"{cpu:.2f} (mean)"]


def refresh_rows(index: Index, corpus: Corpus, documents: int) -> list[list[str]]:
    """The first search after others have written."""
    principal = reader(0.1, documents)
    rows: list[list[str]] = []
    for added in (1, 50):
        times: list[float] = []
        for attempt in range(5):
            for number in range(added):
                name = documents + attempt * added + number
                index.put(DocumentVersion(f"doc{name}", 1), single_policy(policy(name)), corpus.document(name))
            times.append(timed(lambda: index.search(index_query(principal, corpus.phrases(), DEPTH), select_nothing)))
            for number in range(added):
                index.prune(f"doc{documents + attempt * added + number}", None)
        label = f"search after {added * SEGMENTS_PER_DOCUMENT} new segments"
        rows.append([label, f"{np.median(times):.2f}", f"{max(times):.2f}", "", ""])
    return rows


def resident_megabytes() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)


def report(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    table = Table(*columns, title=title)
    for row in rows:
        table.add_row(*row)
    Console().print(table)


def run(folder: Path, segments: int, seed: int) -> None:
    corpus, documents = Corpus(seed), segments // SEGMENTS_PER_DOCUMENT
    indexes = EmbeddedIndexes(folder, MODEL)
    building = timed(lambda: build(indexes.for_tenant(TENANT), corpus, documents)) / 1e3
    indexes.close()
    nobody = Principal(TENANT, None, frozenset())
    phrases = corpus.phrases()
    opening = timed(lambda: indexes.for_tenant(TENANT).search(index_query(nobody, phrases, DEPTH), select_nothing))
    index = indexes.for_tenant(TENANT)
    rows = [search_row(index, corpus, share, documents) for share in SHARES]
    rows += [new_callers_row(index, corpus, share, documents) for share in SHARES]
    rows += refresh_rows(index, corpus, documents)
    size = sum(file.stat().st_size for file in (folder / TENANT).iterdir()) / 2**20
    indexes.close()
    report(
        f"{segments} segments, five phrases of ten words", ["step", "p50 ms", "p99 ms", "first ms", "CPU p50 ms"], rows
    )
    print(f"open and first search {opening:.0f} ms; built {segments / building:.0f} segments/s (text made up included)")
    print(f"file {size:.0f} MB; peak memory {resident_megabytes():.0f} MB")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--segments", type=int, default=10_000)
    arguments.add_argument("--seed", type=int, default=7)
    chosen = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        run(Path(folder), chosen.segments, chosen.seed)


if __name__ == "__main__":
    main()
