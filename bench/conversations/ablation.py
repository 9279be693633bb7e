"""Recall of the planner without each of its parts: `python -m bench.conversations.ablation FILE... --sets DIR...`.

All plans of one test set are searched in one process, equal queries once. The figures are recall@8 of each class of a
file, over the conversations whose test sets are given. A test set without `corpus.jsonl` is searched in `--tenant`.
"""

import argparse
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast
from unittest.mock import patch

from bench.conversations.parts import PARTS, PLANS, Plan, Replacement
from bench.machine import this_machine
from bench.report import Figures, Report
from groundwire.domain.search.conversation import Turn
from groundwire.entry.cli.evaluate.documents import DocumentsToSearch, SearchableDocuments, searchable_documents
from groundwire.ports import QueryPlan, QueryPlanner
from groundwire.services.evaluate.conversation_recall import ConversationEvaluator, QuerySource
from groundwire.services.evaluate.conversations import (
    Conversation,
    of_test_set,
    with_corpus_doc_ids,
    with_stored_ids,
)
from groundwire.wiring.local.test_sets import TestSetFolder, read_conversations

if TYPE_CHECKING:
    from groundwire.services.search import Search
    from groundwire.services.search.results import Trace

ALL: Final = "all"
_WHOLE: Final = "whole planner"


class Measured(NamedTuple):
    """Recall of one plan for one conversation."""

    file: str
    kind: str
    plan: str
    recall: float


class _PatchedPlanner:
    """Planner by one plan, while a part of the rules is replaced."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan

    def plan(self, turns: Sequence[Turn], most: int) -> QueryPlan:
        return QueryPlan(self._plan(turns, most), None)


class _RememberingSearch:
    """Search that runs equal requests of a caller once."""

    def __init__(self, search: "Search") -> None:
        self._search = search
        self._traces: dict[tuple[object, ...], Trace] = {}

    def traced(self, caller: Any, request: Any) -> "Trace":
        key = (caller.principal, request.phrases)
        if key not in self._traces:
            self._traces[key] = self._search.traced(caller, request)
        return self._traces[key]


@contextmanager
def replaced(replacements: Sequence[Replacement]) -> Generator[None]:
    """Replace these names of the rules' modules for the time of the context."""
    with ExitStack() as stack:
        for module, name, replacement in replacements:
            stack.enter_context(patch.object(module, name, replacement))
        yield


def measure(
    found: SearchableDocuments, name: str, files: Mapping[str, Sequence[Conversation]], planner: Plan
) -> Iterator[Measured]:
    """Return the recall of every plan for the conversations of one test set."""
    search = cast("Search", _RememberingSearch(found.services.reading.search))
    resolve = with_corpus_doc_ids if found.is_corpus else with_stored_ids
    for file, conversations in files.items():
        chosen, _ = resolve(of_test_set(conversations, name)[0], found.documents)
        for plan, recall in _plans(found, search, chosen, planner):
            yield from (Measured(file, one.kind, plan, value) for one, value in zip(chosen, recall, strict=True))


def _plans(
    found: SearchableDocuments, search: "Search", chosen: Sequence[Conversation], planner: Plan
) -> Iterator[tuple[str, list[float]]]:
    def results(queries: Plan) -> Mapping[QuerySource, list[float]]:
        evaluate = ConversationEvaluator(search, cast("QueryPlanner", _PatchedPlanner(queries)))
        done = evaluate(found.tenant, found.grant, chosen, lambda _done, _total: None)
        return {source: [each.plans[source].recall for each in done] for source in QuerySource}

    whole = results(planner)
    yield from ((source.value, whole[source]) for source in QuerySource if source is not QuerySource.PLANNER)
    yield _WHOLE, whole[QuerySource.PLANNER]
    for name, replacements in PARTS.items():
        with replaced(replacements):
            yield f"without {name}", results(planner)[QuerySource.PLANNER]
    for name, plan in PLANS.items():
        yield name, results(plan)[QuerySource.PLANNER]


def tables(measured: Sequence[Measured]) -> list[Figures]:
    """Return a table of all files, with a row per plan, and a table of each file, with a column per class."""
    files = list(dict.fromkeys(each.file for each in measured))
    plans = list(dict.fromkeys(each.plan for each in measured))
    found = [_table("recall@8", files, plans, lambda one: one.file, measured)]
    for file in files:
        own = [each for each in measured if each.file == file]
        kinds = [*dict.fromkeys(each.kind for each in own)]
        found.append(_table(f"recall@8, {file}", kinds, plans, lambda one: one.kind, own))
    return found


def _table(
    title: str,
    columns: Sequence[str],
    plans: Sequence[str],
    column_of: Callable[[Measured], str],
    measured: Sequence[Measured],
) -> Figures:
    rows: list[tuple[str, *tuple[float, ...]]] = []
    for plan in plans:
        own = [each for each in measured if each.plan == plan]
        means = [fmean(each.recall for each in own if column_of(each) == column) for column in columns]
        rows.append((plan, *means, fmean(each.recall for each in own)))
    return Figures(title, ("", *columns, ALL), rows, digits=3)


def run(files: Sequence[Path], sets: Sequence[DocumentsToSearch], planner: Plan) -> Report:
    """The whole bench."""
    conversations = {file.stem: read_conversations([file]) for file in files}
    measured: list[Measured] = []
    for wanted in sets:
        with searchable_documents(wanted, lambda _step, _done, _total: None) as found:
            measured += measure(found, wanted.folder.name, conversations, planner)
    measured.sort(key=lambda each: list(conversations).index(each.file))
    numbers = {file: sum(each.file == file and each.plan == _WHOLE for each in measured) for file in conversations}
    return Report("Parts of the planner", this_machine(), numbers, [], tables(measured), [])


def main() -> None:
    from groundwire.adapters.planning.rule_planner import RulePlanner

    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("files", type=Path, nargs="+", metavar="FILE", help="conversations")
    arguments.add_argument("--sets", type=Path, nargs="+", required=True, metavar="DIR", help="folders of test sets")
    arguments.add_argument("--tenant", help="owner of the documents of a set without corpus.jsonl")
    arguments.add_argument("--cache", type=Path, help="folder for indexed test sets")
    arguments.add_argument("--json", action="store_true")
    chosen = arguments.parse_args()
    folders = [TestSetFolder(folder, None) for folder in chosen.sets]
    sets = [
        DocumentsToSearch(each, None if each.has_corpus else chosen.tenant, None, chosen.cache, None)
        for each in folders
    ]
    run(chosen.files, sets, lambda turns, most: tuple(RulePlanner().plan(turns, most).queries)).show(
        as_json=chosen.json
    )


if __name__ == "__main__":
    main()
