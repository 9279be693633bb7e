"""Time of a plan of several queries: `python -m bench.subqueries [--segments N] [--calls N] [--questions N] [--json]`.

A conversation goes through Azure's retrieval, without a server around it. Beside it, in turn, each of its planned
queries is searched alone: all of them together should take little more than the slowest of them. The rules of the
planner are also timed on the conversations of `bench/conversations`, which are longer.
"""

import argparse
import json
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final
from unittest.mock import patch

import numpy as np

from bench.corpus import COLLECTION, Corpus
from bench.home import fill
from bench.machine import this_machine
from bench.report import Figures, Goal, Report
from bench.stopwatch import Stopwatch
from groundwire.adapters.onnx.inference.embedder import OnnxEmbedder
from groundwire.adapters.planning.rule_planner import RulePlanner
from groundwire.dialects.azure.rest import AzureRest
from groundwire.dialects.declaration.routes import RestRequest
from groundwire.domain.access.scopes import Scope
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import ALL_COLLECTIONS, KeyKind
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.domain.limits import DEFAULT_TOP_N
from groundwire.domain.search.conversation import Speaker, Turn
from groundwire.domain.search.request import ALL_DOCUMENTS, SearchRequest
from groundwire.services.call_context import CallContext
from groundwire.services.search.planning.planner import plan_queries
from groundwire.services.search.planning.subqueries import PASSAGES_PER_SEARCH, SubquerySearch
from groundwire.settings import environment
from groundwire.wiring.local.services import LocalServices, open_home
from groundwire.wiring.local.test_sets import read_conversations
from groundwire_mcp.transport.http import HttpRequest

WARM_UP: Final = 10
QUESTIONS: Final = 3
RULES_MS: Final = 3.0
SHARE_MS: Final = 2.0
CONVERSATIONS: Final = Path(__file__).parent / "conversations"
_PATH: Final = f"/knowledgebases('{COLLECTION}')/retrieve"
_MOST_QUERIES: Final = 3
"""Queries that a retrieval plans without a stated effort."""
_VERSION: Final = "api-version=2026-05-01-preview"
_ANSWER: Final = "answer"
_ALONE: Final = "slowest query alone"
_ONE_BY_ONE: Final = "its queries one after another"
_COMBINED: Final = "its queries together"
_EMBEDDING: Final = "of these, the embedding batch"
_RULES: Final = "rules of the planner"
_SHARE: Final = "Azure's own share"
_STAGES: Final = (_ALONE, _ONE_BY_ONE, _COMBINED, _EMBEDDING, _RULES, _SHARE, _ANSWER)
_SIZES: Final = {f"{DEFAULT_TOP_N} passages": DEFAULT_TOP_N, "passages of 5,000 tokens": None}
"""Passages of an answer; None: as many as the usual number of tokens holds."""


class Retrievals:
    """Retrievals by one conversation each, and searches of their queries alone."""

    def __init__(self, services: LocalServices, caller: Caller, corpus: Corpus) -> None:
        self._services = services
        self._caller = caller
        self._corpus = corpus
        self._stopwatch = Stopwatch()
        self._rest = AzureRest(services.agents.dialect_services)

    def measure(self, calls: int, questions: int, passages: int | None) -> list[dict[str, float]]:
        """Return milliseconds by stage of each call; an answer has so many passages, or as many as have room."""
        watched = ((SubquerySearch, "__call__"), (RulePlanner, "plan"), (OnnxEmbedder, "embed"))
        patches = [patch.object(owner, name, getattr(owner, name)) for owner, name in watched]
        for each in patches:
            each.start()
        try:
            for (owner, name), stage in zip(watched, (_COMBINED, _RULES, _EMBEDDING), strict=True):
                self._stopwatch.watch(owner, name, stage)
            return [self._call(number, questions, passages) for number in range(WARM_UP + calls)][WARM_UP:]
        finally:
            for each in patches:
                each.stop()

    def _call(self, number: int, questions: int, passages: int | None) -> dict[str, float]:
        message = " ".join(f"What is {phrase}?" for phrase in self._corpus.phrases(questions))
        phrases = plan_queries([Turn(Speaker.USER, message)], _MOST_QUERIES)
        alone = [self._alone(phrase) for phrase in phrases] if number % 2 else []
        stages = self._retrieve(message, len(phrases), passages)
        alone = alone or [self._alone(phrase) for phrase in phrases]
        combined = stages[_COMBINED] + stages[_EMBEDDING]
        found = {_SHARE: stages[_ANSWER], _RULES: stages[_RULES], _EMBEDDING: stages[_EMBEDDING]}
        whole = {_COMBINED: combined, _ANSWER: stages[_ANSWER] + stages[_RULES] + combined}
        seconds = {**found, **whole, _ALONE: max(alone), _ONE_BY_ONE: sum(alone)}
        return {stage: value * 1e3 for stage, value in seconds.items()}

    def _alone(self, phrase: str) -> float:
        request = SearchRequest.for_caller(
            self._caller,
            [phrase],
            collections=frozenset({COLLECTION}),
            documents=ALL_DOCUMENTS,
            where=None,
            top_n=PASSAGES_PER_SEARCH,
            max_top_n=PASSAGES_PER_SEARCH,
        )
        started = perf_counter()
        self._services.reading.search(self._caller, request)
        taken = perf_counter() - started
        self._stopwatch.calls.clear()
        return taken

    def _retrieve(self, message: str, queries: int, passages: int | None) -> dict[str, float]:
        content = [{"type": "text", "text": message}]
        size = {} if passages is None else {"maxOutputDocuments": passages}
        body = json.dumps({"messages": [{"role": "user", "content": content}], **size}).encode()
        headers = {"accept": "application/json", "content-type": "application/json"}
        request = RestRequest(HttpRequest("POST", _PATH, headers, body), {}, _VERSION)
        call = CallContext(self._caller)
        with self._stopwatch.stage(_ANSWER):
            response = self._rest(call, request)
        if call.audit_fields.get("subqueries") != queries:
            raise RuntimeError(f"The retrieval searched otherwise: {response.body.decode()[:500]}")
        return self._stopwatch.calls.pop()


def time_rules() -> list[tuple[int, float]]:
    """Return the number of turns of each conversation of the sets, and the milliseconds in which rules plan it."""
    planner = RulePlanner()
    return [
        (len(each.turns), min(_plan_ms(planner, each.turns) for _ in range(3)))
        for each in read_conversations(sorted(CONVERSATIONS.glob("*.jsonl")))
    ]


def _plan_ms(planner: RulePlanner, turns: Sequence[Turn]) -> float:
    started = perf_counter()
    planner.plan(turns, _MOST_QUERIES)
    return (perf_counter() - started) * 1e3


def run(home: Path, segments: int, calls: int, seed: int, questions: int = QUESTIONS) -> Report:
    """The whole bench in an empty home."""
    machine = this_machine()
    services = open_home(environment.read_settings({**os.environ, "GROUNDWIRE_HOME": str(home)}))
    corpus = Corpus(services.settings.model / "vocab.txt", services.models.model.dimension, seed)
    filled = fill(services, corpus, segments)
    scopes = frozenset({Scope.SEARCH})
    # The vectors are made up, so that no passage is relevant to a phrase.
    options = replace(USUAL_OPTIONS, floor=0.0)
    caller = Caller(filled.caller, "bench", KeyKind.ACT_AS, scopes, ALL_COLLECTIONS, options)
    retrievals = Retrievals(services, caller, corpus)
    taken = {size: retrievals.measure(calls, questions, passages) for size, passages in _SIZES.items()}
    services.close()
    usual = next(iter(taken.values()))
    rules = [milliseconds for _, milliseconds in time_rules()]
    rows = [(stage, *_percentiles([each[stage] for each in usual])) for stage in _STAGES]
    shares = [(f"{_SHARE}, {size}", *_percentiles([each[_SHARE] for each in calls])) for size, calls in taken.items()]
    ratios = [
        (f"{stage} over {_ALONE}", *_percentiles([each[stage] / each[_ALONE] for each in usual]))
        for stage in (_COMBINED, _ONE_BY_ONE, _ANSWER)
    ]
    of_sets = ("conversations of the sets", *_percentiles(rules))
    planned = _percentiles([each[_RULES] for each in usual])
    goals = [
        Goal(f"{_RULES}, p50", planned[0], "ms", f"{questions} questions", RULES_MS),
        Goal(f"{_RULES}, p99", of_sets[2], "ms", f"{len(rules)} conversations of the sets", RULES_MS),
        Goal(f"{shares[0][0]}, p50", shares[0][1], "ms", "beside rules and searches", SHARE_MS),
    ]
    columns = ("", "p50", "p99", "min")
    tables = [
        Figures(f"One retrieval of {DEFAULT_TOP_N} passages, ms", columns, rows),
        Figures("In the same run, paired", columns, ratios),
        Figures("Beside rules and searches, ms", columns, shares),
        Figures("Rules of the planner, ms", columns, [of_sets]),
    ]
    setting = {"segments": segments, "calls": calls, "questions": questions, "seed": seed}
    return Report("Several queries of one retrieval", machine, setting, goals, tables, [])


def _percentiles(values: Sequence[float]) -> tuple[float, float, float]:
    return float(np.percentile(values, 50)), float(np.percentile(values, 99)), min(values)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--segments", type=int, default=10_000)
    arguments.add_argument("--calls", type=int, default=200)
    arguments.add_argument("--questions", type=int, default=QUESTIONS)
    arguments.add_argument("--seed", type=int, default=7)
    arguments.add_argument("--json", action="store_true")
    chosen = arguments.parse_args()
    with TemporaryDirectory(prefix="groundwire-bench-") as folder:
        run(Path(folder), chosen.segments, chosen.calls, chosen.seed, chosen.questions).show(as_json=chosen.json)


if __name__ == "__main__":
    main()
