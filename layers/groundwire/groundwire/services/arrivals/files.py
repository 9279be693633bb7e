"""One file of the bucket, brought into the registry as it is now, or out of it where it is gone."""

from collections.abc import Callable
from dataclasses import replace

from groundwire.domain.access import NOBODY
from groundwire.domain.errors import DocumentRefused, Invalid, NotFound, Unavailable
from groundwire.domain.limits import MAX_DOCUMENT_BYTES
from groundwire.ports import Documents, SideTexts, SourceObject, SourceObjects
from groundwire.services.arrivals.budget import RememberingEmbedders
from groundwire.services.arrivals.conflicts import refuse_conflicts
from groundwire.services.arrivals.places import Place, source_path
from groundwire.services.arrivals.surroundings import SaidOfFile, Surroundings
from groundwire.services.documents import DocumentCare
from groundwire.services.ingest.batch import IngestBatch
from groundwire.services.ingest.request import IngestRequest


class Files:
    """The caller holds the tenant's lock, so that no side file is followed in between."""

    def __init__(
        self,
        sources: SourceObjects,
        texts: SideTexts,
        documents: Documents,
        care: DocumentCare,
        batch: IngestBatch,
        memory: RememberingEmbedders,
    ) -> None:
        self._sources = sources
        self._texts = texts
        self._documents = documents
        self._care = care
        self._batch = batch
        self._memory = memory

    def bring(self, tenant: str, place: Place, is_spent: Callable[[], bool], *, was_put: bool) -> None:
        """The document is that of the file as it stands now; where there is none, a tombstone.

        Args:
            tenant: whose file it is.
            place: where it lies.
            is_spent: whether the time is over.
            was_put: whether the file itself is news; else a policy that was given to the document by hand stands.

        Raises:
            OutOfTime: the same call goes on with it.
        """
        file = self._sources.find(tenant, place.path)
        if file is None:
            self._lose(tenant, place)
            return
        with self._memory.working(tenant, place.path, is_spent):
            request = self._request(tenant, place, file)
            if not was_put:
                request = self._as_given_by_hand(request)
            refuse_conflicts(list(self._batch.within(tenant, place.collection, [request], _quietly)))

    def refuse(self, tenant: str, place: Place, reason: str) -> None:
        """The document's record says why its file could not be brought in."""
        file = self._sources.find(tenant, place.path)
        if file is not None:
            self._batch.refuse(tenant, place.collection, self._request(tenant, place, file), reason)
            self._memory.forget(tenant, place.path)

    def _lose(self, tenant: str, place: Place) -> None:
        known = self._documents.by_source_path(tenant, place.collection, source_path(tenant, place.path))
        if known is not None:
            self._care.delete(tenant, known.doc_id)
        self._memory.forget(tenant, place.path)

    def _request(self, tenant: str, place: Place, file: SourceObject) -> IngestRequest:
        try:
            said = Surroundings(tenant, self._sources, self._texts).said_of(file)
        except Invalid as problem:
            # Who may read it cannot be known, so nobody may, and the owner reads why in its record.
            return _asked(tenant, place, SaidOfFile(NOBODY, True, {}, None, None), _refusing(str(problem)))
        return _asked(tenant, place, said, lambda: self._read(tenant, file))

    def _as_given_by_hand(self, request: IngestRequest) -> IngestRequest:
        known = self._documents.by_source_path(request.tenant, request.collection, request.source_path)
        if known is None or known.policy_from_files or not request.policy_from_files:
            return request
        return replace(request, policy=known.policy, policy_from_files=False)

    def _read(self, tenant: str, file: SourceObject) -> bytes:
        if file.size > MAX_DOCUMENT_BYTES:
            limit = MAX_DOCUMENT_BYTES // 1_048_576
            raise DocumentRefused(f"the file is larger than {limit} MB: split it")
        try:
            return self._sources.read(tenant, file.path, file.version)
        except NotFound as error:
            raise Unavailable("The file was replaced while it was read: it is read again.", retry_after_s=1) from error


def _asked(tenant: str, place: Place, said: SaidOfFile, read: Callable[[], bytes]) -> IngestRequest:
    return IngestRequest(
        tenant=tenant,
        collection=place.collection,
        source_path=source_path(tenant, place.path),
        file_name=place.name,
        read=read,
        policy=said.policy,
        doc_id=said.doc_id,
        source_url=said.source_url,
        metadata=said.metadata,
        policy_from_files=said.from_files,
    )


def _refusing(reason: str) -> Callable[[], bytes]:
    def read() -> bytes:
        raise DocumentRefused(reason)

    return read


def _quietly(done: int, total: int) -> None:
    """Nobody watches."""
