"""Time of each dialect beside the search that it calls: `python -m bench.dialects [--segments N] [--calls N] [--json]`.

One question goes to each dialect in turn, without a server around it. A dialect's own share is what its call takes
beside the search service: reading the call, what is looked up for it, and the answer in its form.
"""

import argparse
import os
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from unittest.mock import patch

import numpy as np

from bench.corpus import COLLECTION, Corpus
from bench.home import fill
from bench.machine import this_machine
from bench.report import Figures, Goal, Report
from bench.stopwatch import Stopwatch
from groundwire.dialects.declaration.dialect import Dialect
from groundwire.dialects.declaration.replay import PassagePlace, ReplayedQuestion
from groundwire.dialects.replay import DialectReplay
from groundwire.domain.access.scopes import Scope
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import ALL_COLLECTIONS, KeyKind
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.domain.limits import DEFAULT_TOP_N, MAX_TOP_N
from groundwire.services.search import Search
from groundwire.services.search.per_collection import PerCollectionSearch
from groundwire.services.search.planning.subqueries import SubquerySearch
from groundwire.settings import environment
from groundwire.wiring.local.services import LocalServices, open_home

WARM_UP: Final = 20
SHARE_MS: Final = 1.5
LARGER_SHARES_MS: Final = {"azure": 2.0}
"""Goals of dialects whose answers hold more: Azure's has twenty passages for every request."""
_SEARCH: Final = "search service"
_SERVICES: Final = ((Search, "__call__"), (PerCollectionSearch, "__call__"), (SubquerySearch, "__call__"))
"""Calls of the search that dialects make."""
_DIALECT: Final = "dialect"
_SIZES: Final = (DEFAULT_TOP_N, MAX_TOP_N)


def _place(_caller: Caller, passage_id: str) -> PassagePlace:
    """Return the place of a passage without a look-up, which is no part of a dialect's time."""
    return PassagePlace(passage_id, 0)


class Calls:
    """Calls of the dialects over one home, under a stopwatch."""

    def __init__(self, services: LocalServices, caller: Caller, corpus: Corpus) -> None:
        self._replay = DialectReplay(
            services.agents.dialects, services.agents.mcp_server, services.agents.dialect_services, _place
        )
        self._caller = caller
        self._corpus = corpus
        self._stopwatch = Stopwatch()

    def measure(self, dialects: Sequence[Dialect], top_n: int, calls: int) -> dict[str, list[dict[str, float]]]:
        """Return seconds by stage of each call of each dialect, the dialects in turn."""
        taken: dict[str, list[dict[str, float]]] = {dialect.name: [] for dialect in dialects}
        with ExitStack() as patches:
            for service, method in _SERVICES:
                patches.enter_context(patch.object(service, method, getattr(service, method)))
                self._stopwatch.watch(service, method, _SEARCH)
            for number in range(WARM_UP + calls):
                question = ReplayedQuestion(self._corpus.phrases(1)[0], COLLECTION, top_n)
                for dialect in dialects:
                    stages = self._call(dialect, question)
                    if number >= WARM_UP:
                        taken[dialect.name].append(stages)
        return taken

    def _call(self, dialect: Dialect, question: ReplayedQuestion) -> dict[str, float]:
        send = self._replay.prepare(dialect, self._caller, question)
        with self._stopwatch.stage(_DIALECT):
            response = send()
        if not self._replay.passages(dialect, self._caller, response):
            raise RuntimeError(f"The dialect {dialect.name} found nothing.")
        return self._stopwatch.calls.pop()


def run(home: Path, segments: int, calls: int, seed: int) -> Report:
    """The whole bench in an empty home."""
    machine = this_machine()
    services = open_home(environment.read_settings({**os.environ, "GROUNDWIRE_HOME": str(home)}))
    corpus = Corpus(services.settings.model / "vocab.txt", services.models.model.dimension, seed)
    filled = fill(services, corpus, segments)
    scopes = frozenset({Scope.SEARCH})
    caller = Caller(filled.caller, "bench", KeyKind.ACT_AS, scopes, ALL_COLLECTIONS, USUAL_OPTIONS)
    dialects = [dialect for dialect in services.agents.dialects if dialect.replay is not None]
    measured = Calls(services, caller, corpus)
    taken = {top_n: measured.measure(dialects, top_n, calls) for top_n in _SIZES}
    services.close()
    shares = {
        (name, top_n): [each[_DIALECT] * 1e3 for each in calls_of]
        for top_n, by_name in taken.items()
        for name, calls_of in by_name.items()
    }
    goals = [
        Goal(f"own share of {name}, p50", float(np.median(each)), "ms", f"{top_n} passages", goal_of(name))
        for (name, top_n), each in shares.items()
        if top_n == DEFAULT_TOP_N
    ]
    rows = [
        (f"{name}, {top_n} passages", *(float(np.percentile(each, at)) for at in (50, 99)), min(each))
        for (name, top_n), each in shares.items()
    ]
    table = Figures("Beside the search service, ms", ("", "p50", "p99", "min"), rows)
    setting = {"segments": segments, "calls": calls, "seed": seed}
    return Report("A dialect's own share of a call", machine, setting, goals, [table], [])


def goal_of(dialect: str) -> float:
    """Return the milliseconds that a dialect's own share may take."""
    return LARGER_SHARES_MS.get(dialect, SHARE_MS)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--segments", type=int, default=10_000)
    arguments.add_argument("--calls", type=int, default=200)
    arguments.add_argument("--seed", type=int, default=7)
    arguments.add_argument("--json", action="store_true")
    chosen = arguments.parse_args()
    with TemporaryDirectory(prefix="groundwire-bench-") as folder:
        run(Path(folder), chosen.segments, chosen.calls, chosen.seed).show(as_json=chosen.json)


if __name__ == "__main__":
    main()
