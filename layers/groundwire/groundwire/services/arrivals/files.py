"""One file of the bucket, brought into the registry as it is now, or out of it where it is gone."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from groundwire.domain.access import NOBODY
from groundwire.domain.documents import DEAD, Document, DocumentState
from groundwire.domain.errors import DocumentRefused, Invalid, NotFound, Unavailable
from groundwire.domain.limits import MAX_DOCUMENT_BYTES
from groundwire.domain.source_urls import cleaned_url
from groundwire.ports import Documents, SideTexts, SourceObject, SourceObjects
from groundwire.services.arrivals.budget import RememberingEmbedders
from groundwire.services.arrivals.conflicts import refuse_conflicts
from groundwire.services.arrivals.deletions import SAME_SECOND, Wanted, in_that_second, is_to_be_put_again, wanted
from groundwire.services.arrivals.places import Place, source_path
from groundwire.services.arrivals.surroundings import PolicyFileRefused, SaidOfFile, Surroundings
from groundwire.services.documents import DocumentCare
from groundwire.services.ingest.batch import IngestBatch
from groundwire.services.ingest.request import IngestOutcome, IngestRequest, IngestStatus

_ELSEWHERE: Final = "its doc_id is that of a document of another collection: choose another, or delete that one first"


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

    def bring(self, tenant: str, place: Place, put_at: float | None, is_spent: Callable[[], bool]) -> None:
        """The document is that of the file as it stands now; where there is none, a tombstone.

        Args:
            tenant: whose file it is.
            place: where it lies.
            put_at: when the file was put, if that is the news (epoch seconds); its document's deletion since then
                stands. None: only what is said of the file has changed. A policy that was given to the document by
                hand stands where it is younger than the content that is found.
            is_spent: whether the time is over.

        Raises:
            Conflict: somebody else changed the document meanwhile; the same call brings it in again.
            OutOfTime: the same call goes on with it.
        """
        file = self._sources.find(tenant, place.path)
        if file is None:
            self._lose(tenant, place)
        elif self._is_wanted(tenant, place, file, put_at):
            self._bring(tenant, place, file, put_at, is_spent)

    def _bring(
        self, tenant: str, place: Place, file: SourceObject, put_at: float | None, is_spent: Callable[[], bool]
    ) -> None:
        with self._memory.working(tenant, place.path, is_spent):
            request = self._request(tenant, place, file, put_at)
            outcomes = list(self._batch.within(tenant, place.collection, [request], _quietly))
            refuse_conflicts(outcomes)
            self._record_refusal(tenant, place, request, outcomes[0])

    def _record_refusal(self, tenant: str, place: Place, request: IngestRequest, first: IngestOutcome) -> None:
        """Record why an earlier version goes on answering, since nobody sees the outcome of a message."""
        if first.status is not IngestStatus.REFUSED or first.document is not None or first.reason is None:
            return
        if self._known(tenant, place) is not None:
            self._batch.refuse(tenant, place.collection, request, first.reason)

    def refuse(self, tenant: str, place: Place, put_at: float | None, reason: str) -> None:
        """The document's record says why its file could not be brought in."""
        file = self._sources.find(tenant, place.path)
        if file is not None and not self._was_deleted_since(tenant, place, put_at):
            self._batch.refuse(tenant, place.collection, self._request(tenant, place, file, put_at), reason)
            self._memory.forget(tenant, place.path)

    def _lose(self, tenant: str, place: Place) -> None:
        known = self._known(tenant, place)
        if known is not None:
            self._care.lose(tenant, known.doc_id)
        self._memory.forget(tenant, place.path)

    def _is_wanted(self, tenant: str, place: Place, file: SourceObject, put_at: float | None) -> bool:
        """Where nobody can tell, a record says so."""
        known = self._known(tenant, place)
        if known is not None and known.version:
            return True
        if known is None and put_at is None:
            # The news of the file itself is yet to come, or the document was deleted by its id.
            return False
        put = put_at if known is None and put_at is not None else _latest(file, put_at)
        answer = wanted(known, self._deleted_at(tenant, place), put)
        if answer is Wanted.UNCLEAR:
            asked = self._request(tenant, place, file, put)
            # The tombstone of a chosen id has to go on saying when that was.
            asked = replace(asked, doc_id=None, decided_at=in_that_second(put))
            self._batch.refuse(tenant, place.collection, asked, SAME_SECOND)
        elif answer is Wanted.NO:
            self._memory.forget(tenant, place.path)
        elif known is not None and is_to_be_put_again(known):
            self._documents.withdraw(tenant, known.doc_id)
        return answer is Wanted.YES

    def _was_deleted_since(self, tenant: str, place: Place, put_at: float | None) -> bool:
        """Whether the document of the file, as it was put then, is no longer wanted."""
        if put_at is None or self._known(tenant, place) is not None:
            return False
        return 0 < put_at <= self._deleted_at(tenant, place)

    def _deleted_at(self, tenant: str, place: Place) -> float:
        return self._documents.deleted_at(tenant, place.collection, source_path(tenant, place.path))

    def _known(self, tenant: str, place: Place) -> Document | None:
        return self._documents.by_source_path(tenant, place.collection, source_path(tenant, place.path))

    def _request(self, tenant: str, place: Place, file: SourceObject, put_at: float | None) -> IngestRequest:
        return replace(self._said(tenant, place, file), decided_at=_latest(file, put_at))

    def _said(self, tenant: str, place: Place, file: SourceObject) -> IngestRequest:
        try:
            said = Surroundings(tenant, self._sources, self._texts).said_of(file)
        except PolicyFileRefused as problem:
            return replace(self._as_before(tenant, place), read=_refusing(str(problem)))
        except Invalid as problem:
            # Who may read it cannot be known, so nobody may, and the owner reads why in its record.
            return _asked(tenant, place, SaidOfFile(NOBODY, True, {}, None, None), _refusing(str(problem)))
        if self._is_elsewhere(tenant, place, said.doc_id):
            return _asked(tenant, place, replace(said, doc_id=None), _refusing(_ELSEWHERE))
        try:
            said = replace(said, source_url=None if said.source_url is None else cleaned_url(said.source_url))
        except Invalid as problem:
            return _asked(tenant, place, replace(said, source_url=None), _refusing(str(problem)))
        return _asked(tenant, place, said, lambda: self._read(tenant, file))

    def _as_before(self, tenant: str, place: Place) -> IngestRequest:
        """Ask for the file under the readers that its document has; for nobody, where it has no document yet."""
        asked = _asked(tenant, place, SaidOfFile(NOBODY, True, {}, None, None), bytes)
        known = self._known(tenant, place)
        if known is None or known.state is not DocumentState.INDEXED:
            return asked
        return replace(
            asked,
            policy=known.policy,
            policy_from_files=known.policy_from_files,
            policy_given_at=known.policy_given_at,
        )

    def _is_elsewhere(self, tenant: str, place: Place, doc_id: str | None) -> bool:
        """Whoever may write the files of one collection replaces no document of another by naming it."""
        known = None if doc_id is None else self._documents.read(tenant, [doc_id]).get(doc_id)
        return known is not None and known.state not in DEAD and known.collection != place.collection

    def _read(self, tenant: str, file: SourceObject) -> bytes:
        if file.size > MAX_DOCUMENT_BYTES:
            limit = MAX_DOCUMENT_BYTES // 1_048_576
            raise DocumentRefused(f"the file is larger than {limit} MB: split it")
        try:
            return self._sources.read(tenant, file.path, file.version)
        except NotFound as error:
            raise Unavailable("The file was replaced while it was read: it is read again.", retry_after_s=1) from error


def _latest(file: SourceObject, put_at: float | None) -> float:
    """When the content that is found was put.

    News of an earlier one may come late; and of what came in parts, S3 tells when its first part did.
    """
    return max(put_at or 0.0, file.put_at)


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
