"""Measurement of conversations by `groundwire eval --conversations`: table and JSON."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from groundwire.domain.errors import InvalidInput
from groundwire.domain.search.metrics import Estimate
from groundwire.entry.cli.console import print_json, print_line, print_rows
from groundwire.entry.cli.evaluate.documents import (
    DocumentsToSearch,
    ReportProgress,
    SearchableDocuments,
    searchable_documents,
    warn_of_unknown,
)
from groundwire.services.evaluate.conversation_recall import (
    ANSWER_PASSAGES,
    ClassSummary,
    ConversationResult,
    QuerySource,
    summarise_classes,
)
from groundwire.services.evaluate.conversations import (
    Conversation,
    of_test_set,
    with_corpus_doc_ids,
    with_stored_ids,
)
from groundwire.wiring.local.test_sets import read_conversations

_MEANINGS = {
    QuerySource.LAST: "the user's last message",
    QuerySource.ALL: "all of the user's messages",
    QuerySource.LAST_TWO: "the last two of them",
    QuerySource.REWRITE: "the file's queries",
    QuerySource.PLANNER: "the planner's queries",
}


@dataclass(frozen=True, slots=True)
class ConversationReport:
    """The results of one run.

    Attributes:
        weight: BM25 weight of the collection; None where several were searched.
        left_out: number of conversations of other test sets, by their names.
    """

    name: str
    model: str
    documents: int
    segments: int
    weight: float | None
    results: Sequence[ConversationResult]
    left_out: Mapping[str, int]


def measure_conversations(
    wanted: DocumentsToSearch, files: Sequence[Path], progress: ReportProgress
) -> ConversationReport:
    """Measure the conversations of the files that belong to the folder's test set."""
    name = wanted.folder.name
    conversations, left_out = of_test_set(read_conversations(files), name)
    if not conversations:
        sets = ", ".join(sorted(left_out)) or "none"
        raise InvalidInput(
            f"No conversation has the `set` {name!r}, the name of the folder. Sets of the conversations: {sets}."
        )
    with searchable_documents(wanted, progress) as found:
        results = found.services.evaluation.conversations(
            found.tenant,
            found.grant,
            _with_stored_ids(conversations, found),
            lambda done, total: progress("conversations", done, total),
        )
        # An operator read a tenant's documents, which the audit log must show.
        if not found.is_corpus:
            found.services.administration.audit_operator_action("eval", tenant=found.tenant, conversations=len(results))
        documents, segments = len(found.documents), found.segments
        return ConversationReport(name, found.model, documents, segments, found.weight, results, left_out)


def print_conversations(report: ConversationReport, *, as_json: bool) -> None:
    """Print recall by class and source of the queries: a table, or the whole report as JSON."""
    if as_json:
        print_json(_report_members(report))
        return
    print_line(
        f"{report.name}: {len(report.results)} conversations, {report.documents} documents, "
        f"{report.segments} passages, {report.model}",
        style="bold",
    )
    classes = summarise_classes(report.results)
    sources = [source.value for source in classes[-1].recall]
    rows = [_row(each) for each in classes]
    print_rows(rows, ["class", "conversations", *sources], as_json=False, empty_message="")
    meanings = "; ".join(f"{source}: {_MEANINGS[source]}" for source in classes[-1].recall)
    print_line(
        f"Recall@{ANSWER_PASSAGES}: share of the answering documents among the first {ANSWER_PASSAGES} "
        f"passages. Searched texts: {meanings}.",
        style="dim",
    )
    if report.left_out:
        others = ", ".join(f"{name} {number}" for name, number in sorted(report.left_out.items()))
        print_line(f"Left out: {sum(report.left_out.values())} conversations of other sets ({others}).", style="dim")


def _with_stored_ids(conversations: Sequence[Conversation], found: SearchableDocuments) -> list[Conversation]:
    resolve = with_corpus_doc_ids if found.is_corpus else with_stored_ids
    resolved, unknown = resolve(conversations, found.documents)
    warn_of_unknown(unknown)
    return resolved


def _row(summary: ClassSummary) -> dict[str, object]:
    recall = {source.value: f"{estimate.mean:.3f}" for source, estimate in summary.recall.items()}
    return {"class": summary.kind or "all", "conversations": summary.conversations, **recall}


def _report_members(report: ConversationReport) -> dict[str, object]:
    """Return the whole report, unrounded, each conversation with its queries and the documents they found."""
    *classes, total = summarise_classes(report.results)
    return {
        "name": report.name,
        "conversations": len(report.results),
        "documents": report.documents,
        "segments": report.segments,
        "model": report.model,
        "bm25_weight": report.weight,
        "left_out": dict(report.left_out),
        "classes": [{"class": each.kind, **_summary_members(each)} for each in classes],
        "all": _summary_members(total),
        "per_conversation": [_conversation_members(each) for each in report.results],
    }


def _summary_members(summary: ClassSummary) -> dict[str, object]:
    recall = {_member(source): _estimate(estimate) for source, estimate in summary.recall.items()}
    return {"conversations": summary.conversations, "recall_at_8": recall}


def _estimate(estimate: Estimate) -> dict[str, float]:
    return {"mean": estimate.mean, "low": estimate.low, "high": estimate.high}


def _conversation_members(result: ConversationResult) -> dict[str, object]:
    plans = {
        _member(source): {"queries": plan.queries, "top": plan.documents, "recall_at_8": plan.recall}
        for source, plan in result.plans.items()
    }
    return {"id": result.conversation.id, "class": result.conversation.kind, "plans": plans}


def _member(source: QuerySource) -> str:
    return source.value.replace(" ", "_")
