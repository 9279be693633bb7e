"""Two servers over one home while a third process ingests: `python -m bench.two_processes --home HOME [--calls N]`.

HOME is one that `python -m bench.scale --home HOME` has filled. Calls go to both servers in turn, first with nobody
writing, then beside a process that puts document after document. Each of its documents is looked for by a word of
its own, until the servers find it.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import json
import subprocess
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from time import monotonic, perf_counter
from typing import Final

import numpy as np

from bench.corpus import Corpus
from bench.home import TAGS, USER
from bench.machine import this_machine
from bench.report import Figures, Goal, Report
from bench.scale import KEY, PHRASES
from bench.server import GROUNDWIRE, ROOT, Client, plain_environment, serving
from groundwire.settings import environment
from groundwire.wiring.local.services import open_home

SLOWER: Final = 2.0
STALE_S: Final = 1.0
_CALLS_PER_DOCUMENT: Final = 10
_TIMEOUT_S: Final = 60.0


class Servers:
    """Clients of both, in turn."""

    def __init__(self, ports: Sequence[int], key: str, corpus: Corpus) -> None:
        identity = {"Authorization": f"Bearer {key}", "x-user-id": USER, "x-session-tags": json.dumps(TAGS)}
        self._clients = [Client(port, identity) for port in ports]
        self._corpus = corpus

    def calls(self, number: int) -> list[float]:
        """Milliseconds of so many calls."""
        return [self._ask(self._clients[turn % 2], self._corpus.phrases(PHRASES))[0] for turn in range(number)]

    def find(self, word: str) -> float:
        """The moment at which both have found it."""
        for client in self._clients:
            while word.encode() not in self._ask(client, [word])[1]:
                continue
        return monotonic()

    def close(self) -> None:
        """Both connections are closed."""
        for client in self._clients:
            client.close()

    def _ask(self, client: Client, phrases: Sequence[str]) -> tuple[float, bytes]:
        started = perf_counter()
        body = client.exchange(client.request(phrases))
        return (perf_counter() - started) * 1e3, body


@contextmanager
def ingesting(home: Path) -> Generator[SimpleQueue[str]]:
    """Yield the reports of a process that stores documents all the time, one for each stored document."""
    command = [sys.executable, "-m", "bench.tireless_ingestion", str(home)]
    stated: SimpleQueue[str] = SimpleQueue()
    with subprocess.Popen(command, cwd=ROOT, env=plain_environment(), stdout=subprocess.PIPE, text=True) as process:
        lines = process.stdout

        def listen() -> None:
            for line in lines or ():
                stated.put(line)

        listening = Thread(target=listen)
        listening.start()
        try:
            yield stated
        finally:
            process.terminate()
            listening.join()


def next_of(stated: SimpleQueue[str]) -> tuple[str, float]:
    """The word of the next document, and when it was stored."""
    while not stated.empty():
        stated.get()
    word, moment = stated.get(timeout=_TIMEOUT_S).split()
    return word, float(moment)


def beside_ingestion(home: Path, servers: Servers, calls: int) -> tuple[list[float], list[float]]:
    """Milliseconds of calls, and seconds from storing a document to its being found, while another process writes."""
    taken: list[float] = []
    stale: list[float] = []
    with ingesting(home) as stated:
        for _ in range(max(1, calls // _CALLS_PER_DOCUMENT)):
            word, stored = next_of(stated)
            stale.append(servers.find(word) - stored)
            taken += servers.calls(_CALLS_PER_DOCUMENT)
    return taken, stale


def run(home: Path, calls: int, seed: int) -> Report:
    """The whole bench."""
    services = open_home(environment.read_settings({**os.environ, "GROUNDWIRE_HOME": str(home)}))
    corpus = Corpus(services.settings.model / "vocab.txt", services.models.model.dimension, seed)
    services.close()
    key = str(json.loads((home / KEY).read_text(encoding="utf-8")))
    machine = this_machine()
    with serving(home, GROUNDWIRE) as first, serving(home, GROUNDWIRE) as second:
        servers = Servers((first, second), key, corpus)
        try:
            servers.calls(10)
            idle = servers.calls(calls)
            busy, stale = beside_ingestion(home, servers, calls)
        finally:
            servers.close()
    alone, beside = float(np.median(idle)), float(np.median(busy))
    rows = [
        (name, *(float(number) for number in np.percentile(taken, [50, 99, 100])))
        for name, taken in (("idle", idle), ("beside ingestion", busy))
    ]
    stale_row = ("a stored document is found by both, s", *(float(n) for n in np.percentile(stale, [50, 99, 100])))
    return Report(
        "Two servers and a process that ingests",
        machine,
        {"calls": calls, "documents": len(stale), "seed": seed},
        [
            Goal("p50 beside ingestion / idle", beside / alone, "×", f"idle {alone:.1f} ms", SLOWER),
            Goal("longest until a document is found", max(stale), "s", "the call that stored it has ended", STALE_S),
        ],
        [Figures("rag_search over HTTP, ms", ("", "p50", "p99", "longest"), [*rows, stale_row])],
        [],
    )


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--home", type=Path, required=True)
    arguments.add_argument("--calls", type=int, default=100)
    arguments.add_argument("--seed", type=int, default=7)
    arguments.add_argument("--json", action="store_true")
    chosen = arguments.parse_args()
    run(chosen.home.absolute(), chosen.calls, chosen.seed).show(as_json=chosen.json)


if __name__ == "__main__":
    main()
