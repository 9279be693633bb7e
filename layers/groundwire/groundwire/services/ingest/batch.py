"""Ingest many files for a tenant: one run at a time, leftovers cleared first, a bad file never stops the others."""

from collections.abc import Callable, Iterable, Iterator

from groundwire.domain.documents import Collection
from groundwire.domain.errors import Conflict, Invalid
from groundwire.domain.fusion import DEFAULT_BM25_WEIGHT
from groundwire.domain.references import is_doc_id
from groundwire.ports import Collections, IngestLock
from groundwire.services.ingest.ingest import Ingest
from groundwire.services.ingest.passages import Progress
from groundwire.services.ingest.request import IngestOutcome, IngestRequest, IngestStatus
from groundwire.services.settle import Settle


class IngestBatch:
    """Runs `Ingest` over files under the tenant's lock."""

    def __init__(self, ingest: Ingest, settle: Settle, collections: Collections, lock: IngestLock) -> None:
        self._ingest = ingest
        self._settle = settle
        self._collections = collections
        self._lock = lock

    def __call__(
        self,
        tenant: str,
        collection: str,
        requests: Iterable[Callable[[], IngestRequest | IngestOutcome]],
        progress: Progress,
    ) -> Iterator[IngestOutcome]:
        """One outcome per file, as each is done.

        Args:
            tenant: whose documents these are.
            collection: made with default settings when it is new.
            requests: read one by one, so that only one file is in memory; a file that could not even be read
                gives its outcome at once.
            progress: told of each file's segments.

        Raises:
            Invalid: the collection's name cannot be one.
            Unavailable: a store or the parser does not answer. That ends the run: the files after it would fare
                no better, and what was done before stands.
        """
        if not is_doc_id(collection):
            raise Invalid(f"{collection!r} cannot be a collection: use letters, digits, '.', '_' and '-'.")
        with self._lock.hold(tenant):
            self._settle.all_stale(tenant)
            if collection not in {known.name for known in self._collections.all(tenant)}:
                self._collections.put(tenant, Collection(collection, DEFAULT_BM25_WEIGHT))
            for read in requests:
                yield self._one(read(), progress)

    def _one(self, request: IngestRequest | IngestOutcome, progress: Progress) -> IngestOutcome:
        if isinstance(request, IngestOutcome):
            return request
        try:
            return self._ingest(request, progress)
        except Conflict:
            reason = "the document was changed by somebody else at the same time: ingest the file again"
            return IngestOutcome(IngestStatus.REFUSED, request.file_name, None, reason)
