"""`groundwire eval`: how good search is on judged questions, and what would make it better."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import typer

from groundwire import wiring
from groundwire.domain.errors import Invalid
from groundwire.domain.fusion import DEFAULT_BM25_WEIGHT
from groundwire.domain.grants import EVERY, CollectionGrant
from groundwire.entry.cli.console import JsonOption, print_json, warn
from groundwire.entry.cli.evaluate_report import Report, before, print_report, to_json
from groundwire.entry.cli.progress import counted_progress
from groundwire.services.evaluate.compare import compare
from groundwire.services.evaluate.corpus import COLLECTION, request
from groundwire.services.evaluate.fit import fit
from groundwire.services.evaluate.measure import Asked, Method, rows
from groundwire.services.evaluate.questions import TestSet, among, in_corpus
from groundwire.services.ingest.request import IngestStatus
from groundwire.wiring.evaluation import CorpusServices, TestSetFolder, corpus_services

_NAMED: Final = 3
"""Names that a warning gives before it says how many more there are."""

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class _Measured:
    """What was asked of which documents.

    Attributes:
        weight: of the collection; None where several were searched.
    """

    tests: TestSet
    asked: list[Asked]
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
    as_json: JsonOption = False,
) -> None:
    """Measure search on judged questions: nDCG@10, recall@100 and MRR@10, beside its parts alone."""
    if tenant is None and collection is not None:
        raise Invalid("--collection is one of a tenant's: say whose with --tenant.")
    if tenant is not None and bm25_weight is not None:
        raise Invalid("A tenant's collection has its weight: change it with `groundwire collection set`.")
    if propose and tenant is not None and collection is None:
        raise Invalid("--fit is for one collection: name it with --collection.")
    earlier = None if compare_with is None else before(compare_with)
    found = TestSetFolder(folder, qrels)
    with counted_progress() as progress:
        if tenant is None:
            measured = _on_corpus(found, cache, DEFAULT_BM25_WEIGHT if bm25_weight is None else bm25_weight, progress)
        else:
            measured = _on_own(found, tenant, collection, progress)
    report = _report(found, measured, earlier, propose=propose)
    if as_json:
        print_json(to_json(report))
    else:
        print_report(report)


def _on_corpus(folder: TestSetFolder, cache: Path | None, weight: float, progress: Progress) -> _Measured:
    if not folder.has_corpus:
        raise Invalid("The folder has no corpus.jsonl: add it, or name the documents' owner with --tenant.")
    tests = folder.read()
    tests = TestSet(tests.name, tests.questions, in_corpus(tests.judgements))
    # A test set with its own documents needs no tenant.
    wiring.allow_new_home()
    services = corpus_services(wiring.current().settings, cache, folder, tests.name)
    with closing(services):
        tenant = services.tenant(weight)
        _index(services, tenant, folder, progress)
        asked = services.measure(tenant, frozenset({COLLECTION}), tests, _asking(progress))
        documents = services.documents.all(tenant, COLLECTION)
        return _Measured(
            tests, asked, weight, len(documents), sum(each.segments for each in documents), services.model.name
        )


def _asking(progress: Progress) -> Callable[[int, int], None]:
    return lambda done, total: progress("questions", done, total)


def _index(services: CorpusServices, tenant: str, folder: TestSetFolder, progress: Progress) -> None:
    files = [request(tenant, text) for text in folder.corpus()]
    outcomes = services.ingest_batch(tenant, COLLECTION, files, lambda _done, _total: None)
    refused: list[str] = []
    for done, outcome in enumerate(outcomes, start=1):
        progress("documents", done, len(files))
        if outcome.status is IngestStatus.REFUSED:
            refused.append(f"{outcome.file_name} ({outcome.reason})")
    if refused:
        warn(f"{len(refused)} documents cannot be searched: {_some(refused)}")


def _on_own(folder: TestSetFolder, tenant: str, collection: str | None, progress: Progress) -> _Measured:
    services = wiring.current()
    owner = services.tenant_care.find(tenant).tenant
    weight = None if collection is None else wiring.current().collection_care.find(owner, collection).bm25_weight
    grant: CollectionGrant = EVERY if collection is None else frozenset({collection})
    tests, documents = folder.read(), services.documents.all(owner, collection)
    judgements, unknown = among(documents, tests.judgements)
    if unknown:
        warn(f"No one document is meant by {_some(sorted(unknown))}: judged, but never found.")
    tests = TestSet(tests.name, tests.questions, judgements)
    asked = services.measure(owner, grant, tests, _asking(progress))
    services.operator_audit("eval", tenant=owner, questions=len(asked))
    segments = sum(each.segments for each in documents)
    return _Measured(tests, asked, weight, len(documents), segments, services.indexes.of(owner).model.name)


def _report(folder: TestSetFolder, measured: _Measured, earlier: dict[str, float] | None, *, propose: bool) -> Report:
    asked, weight = measured.asked, measured.weight
    now = {each.question.id: (each.question.text, each.scores[Method.SEARCH].ndcg) for each in asked}
    return Report(
        name=measured.tests.name,
        qrels=folder.qrels,
        model=measured.model,
        documents=measured.documents,
        segments=measured.segments,
        weight=weight,
        rows=rows(asked),
        asked=asked,
        fit=fit(asked, measured.tests.judgements, weight) if propose and weight is not None else None,
        comparison=None if earlier is None else compare(earlier, now),
    )


def _some(names: list[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")
