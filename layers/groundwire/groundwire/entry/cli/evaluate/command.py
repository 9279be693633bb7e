"""`groundwire eval`: quality of search on judged questions, and a better weight for it."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Final

import typer

from groundwire import wiring
from groundwire.domain.errors import InvalidInput
from groundwire.domain.keys.grants import ALL_COLLECTIONS, CollectionGrant
from groundwire.domain.search.fusion import DEFAULT_BM25_WEIGHT
from groundwire.domain.search.relevance import fits_for
from groundwire.entry.cli.console import print_json, warn
from groundwire.entry.cli.evaluate.json_report import read_earlier_ndcg, to_json
from groundwire.entry.cli.evaluate.report import EvaluationReport, print_report
from groundwire.entry.cli.long_runs.progress import counted_progress
from groundwire.entry.cli.options import JsonOption
from groundwire.services.evaluate.comparison import compare
from groundwire.services.evaluate.corpus import COLLECTION, ingest_request
from groundwire.services.evaluate.measurement import QuestionResult, RankingMethod, summarise
from groundwire.services.evaluate.relevance_validation import RelevanceProposal, propose_fits
from groundwire.services.evaluate.test_set import TestSet, with_corpus_ids, with_document_ids
from groundwire.services.evaluate.weight_fit import fit_weight
from groundwire.services.ingest.request import IngestStatus
from groundwire.wiring.local.evaluation import CorpusServices, TestSetFolder, corpus_services
from groundwire.wiring.local.services import LocalServices

_MAX_NAMES: Final = 3
"""Maximum number of names in a warning; further ones are counted."""

ReportProgress = Callable[[str, int, int], None]


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


def evaluate(
    folder: Annotated[Path, typer.Argument(help="Holds queries.jsonl and qrels.tsv, and perhaps corpus.jsonl.")],
    qrels: Annotated[Path | None, typer.Option("--qrels", help="Judgements, if not those of the folder.")] = None,
    tenant: Annotated[
        str | None, typer.Option("--tenant", "-t", help="Ask this tenant's own documents instead of corpus.jsonl.")
    ] = None,
    collection: Annotated[str | None, typer.Option("--collection", "-c", help="With --tenant: only this one.")] = None,
    bm25_weight: Annotated[
        float | None, typer.Option(min=0.0, max=1.0, help="Of corpus.jsonl's collection; else that of a new one.")
    ] = None,
    compare_with: Annotated[
        Path | None, typer.Option("--compare", help="What an earlier run printed with --json.")
    ] = None,
    cache: Annotated[
        Path | None, typer.Option("--cache", help="Where indexed test sets are kept; by default in the home.")
    ] = None,
    *,
    propose: Annotated[bool, typer.Option("--fit", help="Propose a BM25 weight; nothing is changed.")] = False,
    fits_relevance: Annotated[
        bool, typer.Option("--fit-relevance", help="Fit relevance and its floor; nothing is changed.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Measure search on judged questions: nDCG@10, recall@100 and MRR@10, beside its parts alone."""
    if tenant is None and collection is not None:
        raise InvalidInput("--collection is one of a tenant's: say whose with --tenant.")
    if tenant is not None and bm25_weight is not None:
        raise InvalidInput("A tenant's collection has its weight: change it with `groundwire collection set`.")
    if propose and tenant is not None and collection is None:
        raise InvalidInput("--fit is for one collection: name it with --collection.")
    earlier = None if compare_with is None else read_earlier_ndcg(compare_with)
    test_set = TestSetFolder(folder, qrels)
    with counted_progress() as progress:
        if tenant is None:
            measurement = _measure_corpus(
                test_set,
                cache,
                DEFAULT_BM25_WEIGHT if bm25_weight is None else bm25_weight,
                progress,
                fits_relevance=fits_relevance,
            )
        else:
            measurement = _measure_tenant(test_set, tenant, collection, progress, fits_relevance=fits_relevance)
    report = _report(test_set, measurement, earlier, propose=propose)
    if as_json:
        print_json(to_json(report))
    else:
        print_report(report)


def _measure_corpus(
    folder: TestSetFolder, cache: Path | None, weight: float, progress: ReportProgress, *, fits_relevance: bool
) -> _Measurement:
    if not folder.has_corpus:
        raise InvalidInput("The folder has no corpus.jsonl: add it, or name the documents' owner with --tenant.")
    tests = folder.read()
    tests = replace(tests, judgements=with_corpus_ids(tests.judgements))
    # A test set with its own documents needs no tenant.
    wiring.allow_new_home()
    services = corpus_services(wiring.local_services().settings, cache, folder, tests.name)
    with closing(services):
        tenant = services.ensure_tenant(weight)
        _index(services, tenant, folder, progress)
        grant = frozenset({COLLECTION})
        results = services.search_evaluator(tenant, grant, tests, _question_progress(progress))
        relevance = _fit_relevance(services, tenant, grant, tests, progress) if fits_relevance else None
        documents = services.documents.all(tenant, COLLECTION)
        segments = sum(each.segments for each in documents)
        return _Measurement(tests, results, relevance, weight, len(documents), segments, services.model.name)


def _fit_relevance(
    services: LocalServices, tenant: str, grant: CollectionGrant, tests: TestSet, progress: ReportProgress
) -> RelevanceProposal:
    judged = services.question_judge(tenant, grant, tests, lambda done, total: progress("relevance", done, total))
    model = services.indexes.for_tenant(tenant).model.name
    reranker = None if services.reranker is None else services.reranker.name
    return propose_fits(judged, model, reranker, fits_for(model, reranker, services.settings.relevance_fits))


def _question_progress(progress: ReportProgress) -> Callable[[int, int], None]:
    return lambda done, total: progress("questions", done, total)


def _index(services: CorpusServices, tenant: str, folder: TestSetFolder, progress: ReportProgress) -> None:
    files = [ingest_request(tenant, text) for text in folder.corpus()]
    outcomes = services.ingest_batch(tenant, COLLECTION, files, lambda _done, _total: None)
    refused: list[str] = []
    for done, outcome in enumerate(outcomes, start=1):
        progress("documents", done, len(files))
        if outcome.status is IngestStatus.REFUSED:
            refused.append(f"{outcome.file_name} ({outcome.reason})")
    if refused:
        warn(f"{len(refused)} documents cannot be searched: {_first_names(refused)}")


def _measure_tenant(
    folder: TestSetFolder, tenant: str, collection: str | None, progress: ReportProgress, *, fits_relevance: bool
) -> _Measurement:
    services = wiring.local_services()
    owner = services.tenant_admin.find(tenant).tenant
    weight = (
        None if collection is None else wiring.local_services().collection_admin.find(owner, collection).bm25_weight
    )
    grant: CollectionGrant = ALL_COLLECTIONS if collection is None else frozenset({collection})
    tests, documents = folder.read(), services.documents.all(owner, collection)
    judgements, unknown = with_document_ids(documents, tests.judgements)
    if unknown:
        warn(f"No one document is meant by {_first_names(sorted(unknown))}: judged, but never found.")
    tests = replace(tests, judgements=judgements)
    results = services.search_evaluator(owner, grant, tests, _question_progress(progress))
    relevance = _fit_relevance(services, owner, grant, tests, progress) if fits_relevance else None
    services.audit_operator_action("eval", tenant=owner, questions=len(results))
    segments = sum(each.segments for each in documents)
    model = services.indexes.for_tenant(owner).model.name
    return _Measurement(tests, results, relevance, weight, len(documents), segments, model)


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


def _first_names(names: list[str]) -> str:
    more = len(names) - _MAX_NAMES
    return ", ".join(names[:_MAX_NAMES]) + (f" and {more} more" if more > 0 else "")
