"""`groundwire eval`: quality of search on judged questions, and a better weight for it."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Final

import typer

from groundwire import wiring
from groundwire.domain.errors import InvalidInput
from groundwire.domain.limits import MAX_EVALUATION_QUESTIONS
from groundwire.domain.search.relevance import fits_for
from groundwire.entry.cli.console import print_json, warn
from groundwire.entry.cli.evaluate.conversations import measure_conversations, print_conversations
from groundwire.entry.cli.evaluate.documents import (
    DocumentsToSearch,
    ReportProgress,
    SearchableDocuments,
    searchable_documents,
    warn_of_unknown,
)
from groundwire.entry.cli.evaluate.json_report import read_earlier_ndcg, stored_parts, to_json
from groundwire.entry.cli.evaluate.report import EvaluationReport, print_report
from groundwire.entry.cli.long_runs.progress import counted_progress
from groundwire.entry.cli.options import JsonOption, examples
from groundwire.ports.registry.evaluations import StoredEvaluation
from groundwire.services.evaluate.comparison import compare
from groundwire.services.evaluate.measurement import QuestionResult, RankingMethod, summarise
from groundwire.services.evaluate.relevance_validation import RelevanceProposal, propose_fits
from groundwire.services.evaluate.test_set import TestSet, with_corpus_ids, with_document_ids
from groundwire.services.evaluate.weight_fit import fit_weight
from groundwire.wiring.local.test_sets import TestSetFolder


@dataclass(frozen=True, slots=True)
class _Measurement:
    """A measured test set.

    Attributes:
        relevance: fits of relevance; None where they were not asked for.
        weight: BM25 weight of the collection; None where several were searched.
        documents, segments: how many were searched.
    """

    tests: TestSet
    question_results: list[QuestionResult]
    relevance: RelevanceProposal | None
    weight: float | None
    documents: int
    segments: int
    model: str


ConversationsOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--conversations", help="Measure the conversations in this file of the folder, instead of its questions."
    ),
]
WeightOption = Annotated[
    float | None,
    typer.Option(min=0.0, max=1.0, help="Weight of BM25 for corpus.jsonl; default: that of a new collection."),
]
EXAMPLES: Final = examples(
    "groundwire eval samples/questions --tenant acme --collection handbook",
    "groundwire eval samples/questions --tenant acme --collection handbook --fit",
)


def evaluate(
    folder: Annotated[
        Path, typer.Argument(help="Folder with queries.jsonl, qrels.tsv and, if --tenant is not given, corpus.jsonl.")
    ],
    qrels: Annotated[
        Path | None, typer.Option("--qrels", help="File of judgements, instead of the folder's qrels.tsv.")
    ] = None,
    conversations: ConversationsOption = None,
    tenant: Annotated[
        str | None, typer.Option("--tenant", "-t", help="Search the documents of this tenant, instead of corpus.jsonl.")
    ] = None,
    collection: Annotated[
        str | None, typer.Option("--collection", "-c", help="Search this collection only; with --tenant.")
    ] = None,
    bm25_weight: WeightOption = None,
    compare_with: Annotated[
        Path | None, typer.Option("--compare", help="Compare with an earlier run: a file of its --json output.")
    ] = None,
    cache: Annotated[
        Path | None, typer.Option("--cache", help="Folder for indexed test sets; default: in the home.")
    ] = None,
    *,
    propose: Annotated[bool, typer.Option("--fit", help="Propose a BM25 weight, and change nothing.")] = False,
    fits_relevance: Annotated[
        bool, typer.Option("--fit-relevance", help="Fit relevance and its floor, and change nothing.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Measure search on judged questions: nDCG@10, recall@100 and MRR@10 of each ranking method."""
    _check_owner(tenant, collection, bm25_weight)
    test_set = TestSetFolder(folder, qrels)
    wanted = DocumentsToSearch(test_set, tenant, collection, cache, bm25_weight)
    if conversations:
        if qrels is not None or compare_with is not None or propose or fits_relevance:
            raise InvalidInput("--conversations cannot be used with --qrels, --compare, --fit or --fit-relevance.")
        with counted_progress() as progress:
            found = measure_conversations(wanted, conversations, progress)
        print_conversations(found, as_json=as_json)
        return
    if propose and tenant is not None and collection is None:
        raise InvalidInput("--fit works on one collection: name it with --collection.")
    earlier = None if compare_with is None else read_earlier_ndcg(compare_with)
    with counted_progress() as progress:
        measurement = _measure(wanted, progress, fits_relevance=fits_relevance)
    report = _report(test_set, measurement, earlier, propose=propose)
    _store(report, tenant, collection)
    if as_json:
        print_json(to_json(report))
    else:
        print_report(report)


def _store(report: EvaluationReport, tenant: str | None, collection: str | None) -> None:
    """Store the report of a tenant's documents; a warning replaces one that is too long."""
    # A test set with documents of its own belongs to no tenant, so nobody could read it.
    if tenant is None:
        return
    services = wiring.local_services()
    owner = services.administration.tenant_admin.find(tenant).tenant
    summary, questions = stored_parts(report, collection, services.installation.os_user)
    if len(questions) > MAX_EVALUATION_QUESTIONS:
        warn(
            f"The evaluation is not stored: it has more than {MAX_EVALUATION_QUESTIONS:,} questions. --json prints it."
        )
        return
    evaluation = StoredEvaluation(f"e_{secrets.token_hex(8)}", services.clock(), summary)
    services.installation.evaluations.add(owner, evaluation, questions)


def _check_owner(tenant: str | None, collection: str | None, weight: float | None) -> None:
    if tenant is None and collection is not None:
        raise InvalidInput("--collection names a collection of a tenant: name the tenant with --tenant.")
    if tenant is not None and weight is not None:
        raise InvalidInput(
            "The tenant's collection has a weight of its own: change it with `groundwire collection set`."
        )


def _measure(wanted: DocumentsToSearch, progress: ReportProgress, *, fits_relevance: bool) -> _Measurement:
    tests = wanted.folder.read()
    with searchable_documents(wanted, progress) as found:
        tests = _with_stored_ids(tests, found)
        services = found.services
        results = services.evaluation.searches(found.tenant, found.grant, tests, _question_progress(progress))
        relevance = _fit_relevance(found, tests, progress) if fits_relevance else None
        # An operator read a tenant's documents, which the audit log must show.
        if not found.is_corpus:
            services.administration.audit_operator_action("eval", tenant=found.tenant, questions=len(results))
        documents, segments, model = len(found.documents), found.segments, found.model
        return _Measurement(tests, results, relevance, found.weight, documents, segments, model)


def _with_stored_ids(tests: TestSet, found: SearchableDocuments) -> TestSet:
    if found.is_corpus:
        return replace(tests, judgements=with_corpus_ids(tests.judgements))
    judgements, unknown = with_document_ids(found.documents, tests.judgements)
    warn_of_unknown(unknown)
    return replace(tests, judgements=judgements)


def _fit_relevance(found: SearchableDocuments, tests: TestSet, progress: ReportProgress) -> RelevanceProposal:
    services = found.services
    judged = services.evaluation.question_judge(
        found.tenant, found.grant, tests, lambda done, total: progress("relevance", done, total)
    )
    model = services.stores.indexes.for_tenant(found.tenant).model.name
    reranker = None if services.models.reranker is None else services.models.reranker.name
    return propose_fits(judged, model, reranker, fits_for(model, reranker, services.settings.relevance_fits))


def _question_progress(progress: ReportProgress) -> Callable[[int, int], None]:
    return lambda done, total: progress("questions", done, total)


def _report(
    folder: TestSetFolder, measurement: _Measurement, earlier: dict[str, float] | None, *, propose: bool
) -> EvaluationReport:
    results, weight = measurement.question_results, measurement.weight
    current_scores = {
        each.question.id: (each.question.text, each.scores[RankingMethod.SEARCH].ndcg) for each in results
    }
    return EvaluationReport(
        name=measurement.tests.name,
        qrels=folder.qrels,
        model=measurement.model,
        documents=measurement.documents,
        segments=measurement.segments,
        weight=weight,
        rows=summarise(results),
        question_results=results,
        fit=fit_weight(results, measurement.tests.judgements, weight) if propose and weight is not None else None,
        relevance=measurement.relevance,
        comparison=None if earlier is None else compare(earlier, current_scores),
    )
