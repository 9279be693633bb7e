"""Collections of the measurement: test sets in the layout of BEIR, and the samples."""

import os
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from bench.relevance.asking import ask
from bench.relevance.questions import (
    FOREIGN_PER_SET,
    SAMPLES,
    Request,
    answered,
    demonstrated,
    everyday,
    meaningless,
    sample,
    written,
)
from groundwire.adapters.local.evaluate.beir_test_sets import TestSetFolder
from groundwire.domain.search.fusion import DEFAULT_BM25_WEIGHT
from groundwire.domain.search.request import SearchMode
from groundwire.entry.cli.ingest.file_requests import FileRequests
from groundwire.services.evaluate.corpus import COLLECTION, ingest_request
from groundwire.services.evaluate.relevance_fit import JudgedQuestion, QuestionKind
from groundwire.services.evaluate.test_set import Question
from groundwire.settings import environment
from groundwire.wiring.local.services import open_home
from groundwire.wiring.local.test_sets import corpus_services, ensure_tenant

DEVELOPMENT: Final = "qrels_dev.tsv"
FITTED: Final = "-dev"
"""End of the name of a collection that the fit sees."""
_OUTSIDER: Final = ("guest@weirhaven.example", frozenset[str]())
"""A person who reads the public documents alone."""


@dataclass(frozen=True, slots=True)
class Collection:
    """Collection and its questions.

    Attributes:
        fitted: the fit may see the answers.
    """

    name: str
    fitted: bool
    folder: Path
    own: Sequence[Request]


def collections(folders: Sequence[Path]) -> list[Collection]:
    """Each folder by its judged questions, and for the fit: by its development judgements, or by none of its own."""
    found = [Collection(folder.name, False, folder, answered(folder, None)) for folder in folders]
    for folder in folders:
        development = folder / DEVELOPMENT
        own = answered(folder, development) if development.is_file() else []
        found.append(Collection(f"{folder.name}{FITTED}", True, folder, own))
    return found


def answers_of_set(
    requested: Collection, sets: Sequence[Collection], cache: Path, mode: SearchMode
) -> list[JudgedQuestion]:
    """Return what the questions find in a test set; its foreign questions are everyday ones and those of `sets`."""
    settings = environment.read_settings(os.environ)
    # A fit sees no question of another test set: its foreign ones are everyday ones and those over the samples.
    others = [] if requested.fitted else [each for each in sets if not each.fitted and each.folder != requested.folder]
    foreign = everyday() + [each for other in others for each in sample(other.own, FOREIGN_PER_SET)]
    if requested.fitted:
        over_samples = (Question(each.id, each.text) for _, each, _, _ in written(["answered"]))
        foreign += [Request(QuestionKind.FOREIGN, each) for each in over_samples]
    services = corpus_services(settings, cache, TestSetFolder(requested.folder, None), requested.folder.name)
    with closing(services):
        tenant = ensure_tenant(services, DEFAULT_BM25_WEIGHT)
        files = [ingest_request(tenant, text) for text in TestSetFolder(requested.folder, None).corpus()]
        if len(services.stores.documents.all(tenant, COLLECTION)) < len(files):
            for _ in services.ingestion.batch(tenant, COLLECTION, files, _unheard):
                pass
        return list(ask(services.reading.search, tenant, [*requested.own, *foreign, *meaningless()], mode))


def answers_of_samples(cache: Path, foreign: Sequence[Request], mode: SearchMode) -> list[JudgedQuestion]:
    """Return the answers to the samples' questions, each by its person; for `closed`, by a person with less access."""
    settings = replace(environment.read_settings(os.environ), home=cache / "samples")
    services = open_home(settings)
    with closing(services):
        names = [each.name for each in services.stores.tenants.all()]
        tenant = (
            services.administration.tenant_admin.find
            if "samples" in names
            else services.administration.tenant_admin.create
        )("samples").tenant
        requests = FileRequests(tenant, "samples").for_paths([SAMPLES / "documents"]).requests
        for _ in services.ingestion.batch(tenant, "samples", requests, _unheard):
            pass
        paths = {
            Path(document.source_path or "").resolve(): document.doc_id
            for document in services.stores.documents.all(tenant, None)
        }
        requested = list(_questions_of_samples(paths))
        return list(ask(services.reading.search, tenant, [*requested, *foreign, *meaningless()], mode))


def _questions_of_samples(paths: dict[Path, str]) -> Iterator[Request]:
    kinds = {"absent": QuestionKind.ABSENT, "fragment": QuestionKind.FRAGMENT, "elsewhere": QuestionKind.FOREIGN}
    for kind, question, document, answer in written(["answered", *kinds]):
        if kind != "answered":
            yield Request(kinds[kind], question)
            continue
        doc_id = paths[(SAMPLES / "documents" / document).resolve()]
        yield Request(QuestionKind.ANSWERED, question, frozenset({doc_id}), answer)
        if not document.startswith("company/"):
            yield Request(QuestionKind.CLOSED, Question(question.id, question.text, *_OUTSIDER))
    for question, document, answer, is_closed in demonstrated():
        doc_id = paths[(SAMPLES / "documents" / document).resolve()]
        yield (
            Request(QuestionKind.CLOSED, question)
            if is_closed
            else Request(QuestionKind.ANSWERED, question, frozenset({doc_id}), answer)
        )


def _unheard(_done: int, _total: int) -> None:
    """Report no progress during the run."""
