"""Documents that `groundwire eval` searches: those of a test set, or a tenant's own."""

from collections.abc import Callable, Generator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from groundwire import wiring
from groundwire.domain.documents.record import Document
from groundwire.domain.errors import InvalidInput
from groundwire.domain.keys.grants import ALL_COLLECTIONS, CollectionGrant
from groundwire.domain.search.fusion import DEFAULT_BM25_WEIGHT
from groundwire.entry.cli.console import warn
from groundwire.services.evaluate.corpus import COLLECTION, ingest_request
from groundwire.wiring.local.services import LocalServices
from groundwire.wiring.local.test_sets import TestSetFolder, corpus_services, ensure_tenant

_MAX_NAMES: Final = 3
"""Maximum number of names in a warning; further ones are counted."""

ReportProgress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class DocumentsToSearch:
    """Documents as the options of the command name them.

    Attributes:
        folder: the test set. tenant: owner of the documents; None for those of the folder.
        collection: the only one of the tenant's that is searched; None for all.
        cache: folder of indexed test sets; None for the home's. weight: BM25 weight of a test set's collection.
    """

    folder: TestSetFolder
    tenant: str | None
    collection: str | None
    cache: Path | None
    weight: float | None


@dataclass(frozen=True, slots=True)
class SearchableDocuments:
    """Documents that are indexed, with the services that search them.

    Attributes:
        tenant: id of their owner. grant: collections that are searched.
        weight: BM25 weight of the collection; None where several are searched.
        is_corpus: whether they are those of the test set.
    """

    services: LocalServices
    tenant: str
    grant: CollectionGrant
    documents: Sequence[Document]
    weight: float | None
    is_corpus: bool

    @property
    def segments(self) -> int:
        """Number of their passages."""
        return sum(each.segments for each in self.documents)

    @property
    def model(self) -> str:
        """Name of the embedding model of their index."""
        if self.is_corpus:
            return self.services.models.model.name
        return self.services.stores.indexes.for_tenant(self.tenant).model.name


@contextmanager
def searchable_documents(wanted: DocumentsToSearch, progress: ReportProgress) -> Generator[SearchableDocuments]:
    """Open the documents, after indexing those of a test set that are not indexed yet."""
    if wanted.tenant is not None:
        yield _of_tenant(wanted.tenant, wanted.collection)
        return
    if not wanted.folder.has_corpus:
        raise InvalidInput(
            "The folder has no corpus.jsonl. Add the file, or name the tenant that owns the documents with --tenant."
        )
    # A test set with its own documents needs no tenant.
    wiring.allow_new_home()
    weight = DEFAULT_BM25_WEIGHT if wanted.weight is None else wanted.weight
    services = corpus_services(wiring.local_services().settings, wanted.cache, wanted.folder, wanted.folder.name)
    with closing(services):
        tenant = ensure_tenant(services, weight)
        _index(services, tenant, wanted.folder, progress)
        documents = services.stores.documents.all(tenant, COLLECTION)
        yield SearchableDocuments(services, tenant, frozenset({COLLECTION}), documents, weight, is_corpus=True)


def warn_of_unknown(names: set[str]) -> None:
    """Warn that these names of judged documents mean no document, or more than one."""
    if names:
        warn(
            f"{_first_names(sorted(names))}: the judgements do not name one document of the tenant, so "
            "it counts as not found."
        )


def _of_tenant(name: str, collection: str | None) -> SearchableDocuments:
    services = wiring.local_services()
    tenant = services.administration.tenant_admin.find(name).tenant
    weight = (
        None if collection is None else services.administration.collection_admin.find(tenant, collection).bm25_weight
    )
    grant: CollectionGrant = ALL_COLLECTIONS if collection is None else frozenset({collection})
    documents = services.stores.documents.all(tenant, collection)
    return SearchableDocuments(services, tenant, grant, documents, weight, is_corpus=False)


def _index(services: LocalServices, tenant: str, folder: TestSetFolder, progress: ReportProgress) -> None:
    files = [ingest_request(tenant, text) for text in folder.corpus()]
    outcomes = services.ingestion.batch(tenant, COLLECTION, files, lambda _done, _total: None)
    refused: list[str] = []
    for done, outcome in enumerate(outcomes, start=1):
        progress("documents", done, len(files))
        if outcome.status.is_failure:
            refused.append(f"{outcome.file_name} ({outcome.reason})")
    if refused:
        warn(f"Documents that cannot be searched: {len(refused)}. {_first_names(refused)}")


def _first_names(names: list[str]) -> str:
    more = len(names) - _MAX_NAMES
    return ", ".join(names[:_MAX_NAMES]) + (f" and {more} more" if more > 0 else "")
