"""Ingest one file: unchanged does nothing, changed becomes a new version, unreadable is refused."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from groundwire.domain.documents import DEAD, Attachment, Document, DocumentState
from groundwire.domain.errors import Conflict, DocumentRefused
from groundwire.domain.limits import MAX_NESTED_MAILS
from groundwire.ports import Blobs, Clock, Documents, DocumentVersion, Embedders, Enricher, Indexes, Parser
from groundwire.services.family import Family
from groundwire.services.ingest.attachments import TOO_DEEP, attached_requests, moved
from groundwire.services.ingest.draft import Draft, Drafting
from groundwire.services.ingest.identity import Identity, is_new
from groundwire.services.ingest.passages import Progress
from groundwire.services.ingest.recipe import recipe_of
from groundwire.services.ingest.record import (
    begun_record,
    followed,
    kept_record,
    queued_record,
    refused_record,
    tombstone,
)
from groundwire.services.ingest.request import IngestOutcome, IngestRequest, IngestStatus
from groundwire.services.ingest.standing import beside
from groundwire.services.ingest.versions import Versions
from groundwire.services.settle import Settle

CHANGED_MEANWHILE: Final = "the document was changed by somebody else at the same time: ingest the file again"

_SECOND_ID = "this file is the document {} already: give no other id, or delete that document first"
"""Two documents of one file would both answer, and only one of them would follow the file's policy."""


@dataclass(frozen=True, slots=True)
class IngestPorts:
    """What ingestion needs of the world.

    Attributes:
        new_id: a fresh document id. path_exists: whether a source path is still there.
        enricher: adds to passages before they are embedded; None where there is none.
    """

    documents: Documents
    indexes: Indexes
    blobs: Blobs
    parser: Parser
    embedders: Embedders
    clock: Clock
    new_id: Callable[[], str]
    path_exists: Callable[[str], bool]
    enricher: Enricher | None = None


class Ingest:
    """Brings single files in; the caller holds the tenant's ingest lock."""

    def __init__(self, ports: IngestPorts) -> None:
        self._ports = ports
        settle = Settle(ports.documents, ports.indexes, ports.blobs, ports.clock)
        self._family = Family(ports.documents, settle, ports.clock)
        self._identity = Identity(ports.documents, ports.path_exists)
        self._drafting = Drafting(self._identity, ports.parser, ports.enricher)
        self._versions = Versions(
            ports.documents,
            ports.indexes,
            ports.blobs,
            ports.embedders,
            ports.clock,
            ports.parser.version,
            ports.enricher,
        )

    def queue(self, tenant: str, requests: Sequence[IngestRequest]) -> None:
        """Files that nothing is known of have a record, and wait; not those whose document was deleted since."""
        new = {
            (request.source_path, request.doc_id): queued_record(request, self._ports.new_id(), self._ports.clock())
            for request in requests
            if self._identity.known(request) is None
            and self._identity.at_path(request) is None
            and not self._identity.was_deleted_since(request)
        }
        if new:
            self._ports.documents.queue(tenant, list(new.values()))

    def begin(self, request: IngestRequest) -> None:
        """A file that waited is being read; one that was read before answers as it did."""
        current = self._identity.known(request)
        if current is None or current.state is not DocumentState.QUEUED:
            return
        # Whoever may not take the place of what waits here is told when the file is read.
        with suppress(DocumentRefused):
            begun = begun_record(current, beside(request, current), self._ports.clock())
            self._ports.documents.write(request.tenant, begun, current)

    def draft(self, request: IngestRequest) -> Draft:
        """The file as it is, parsed where it is new; nothing is written."""
        return self._drafting(request)

    def __call__(self, draft: Draft, progress: Progress) -> list[IngestOutcome]:
        """What came of the file, then of each of its attachments.

        An unreadable file is an outcome with its reason, never an exception.

        Raises:
            Conflict: the document was changed by somebody else meanwhile; nothing of this file is kept.
        """
        current = self._identity.known(draft.request)
        try:
            draft = replace(draft, request=beside(draft.request, current))
        except DocumentRefused as refusal:
            return [_refused(draft.request, str(refusal))]
        if draft.content is None:
            return [self._unread(draft, current)]
        if current is None and (other := self._identity.at_path(draft.request)) is not None:
            return [_refused(draft.request, _SECOND_ID.format(other.doc_id))]
        current = self._continued(draft, current)
        return self._brought_in(replace(draft, request=beside(draft.request, current)), current, progress)

    def _brought_in(self, draft: Draft, current: Document, progress: Progress) -> list[IngestOutcome]:
        if draft.is_of(current) and self._is_in_index(draft.request.tenant, current):
            return [self._keep(draft.request, current)]
        draft = self._drafting.parsed(draft)
        try:
            return self._index(draft, current, progress)
        except DocumentRefused as refusal:
            return [self._refuse(draft, current, str(refusal))]

    def refuse(self, request: IngestRequest, reason: str) -> None:
        """The file's record says why it could not be brought in, though nobody could read it."""
        current = self._identity.known(request)
        if current is None:
            return
        try:
            request = beside(request, current)
        except DocumentRefused:
            # It is the document of somebody else, who is not concerned.
            return
        recipe = recipe_of(request, self._ports.parser, self._ports.enricher)
        self._refuse(Draft(request, None, "", recipe), current, reason)

    def _continued(self, draft: Draft, current: Document | None) -> Document:
        """The record that the file continues, made where there is none."""
        request = draft.request
        if is_new(current) and (renamed := self._identity.renamed(request, draft.content_hash)) is not None:
            if current is not None:
                self._ports.documents.withdraw(request.tenant, current.doc_id)
            return renamed
        if current is None and request.parent is None:
            self.queue(request.tenant, [request])
            current = self._identity.known(request)
        if current is None or (current.state in DEAD and self._identity.was_deleted_since(request)):
            # An attachment waited here until somebody changed its mail: what is read of it now is of the mail before.
            # Or a document of a chosen id was deleted while its file was read.
            raise Conflict(CHANGED_MEANWHILE)
        return current

    def _is_in_index(self, tenant: str, current: Document) -> bool:
        """Whether the index still has what the record says: it may have been lost, and is then made again."""
        index = self._ports.indexes.of(tenant)
        if self._ports.clock() < current.last_rows_at + index.visible_after_seconds:
            return True
        return index.rows_of(DocumentVersion(current.doc_id, current.version)) == current.segments

    def _keep(self, request: IngestRequest, current: Document) -> IngestOutcome:
        kept = kept_record(current, request)
        if kept == current:
            return IngestOutcome(IngestStatus.UNCHANGED, request.file_name, current)

        def follow(child: Document) -> Document:
            return moved(followed(child, request.policy), current, kept)

        settled = self._family.change(request.tenant, current, kept, follow)
        return IngestOutcome(_kept_status(current, kept), request.file_name, settled)

    def _unread(self, draft: Draft, current: Document | None) -> IngestOutcome:
        """A file that cannot be opened says nothing new about a version that answers, but of its readers it does."""
        reason = draft.refusal or ""
        if current is None or current.state in DEAD:
            return _refused(draft.request, reason)
        if current.state is DocumentState.INDEXED and current.policy == draft.request.policy:
            return _refused(draft.request, reason)
        return self._refuse(draft, current, reason)

    def _refuse(self, draft: Draft, current: Document, reason: str) -> IngestOutcome:
        size = len(draft.content or b"")
        refused = refused_record(current, draft.request, draft.content_hash, size, reason)

        def follow(child: Document) -> Document:
            return followed(child, refused.policy) if refused.state is DocumentState.INDEXED else tombstone(child)

        settled = self._family.change(draft.request.tenant, current, refused, follow)
        return IngestOutcome(IngestStatus.REFUSED, draft.request.file_name, settled, settled.reason)

    def _index(self, draft: Draft, current: Document, progress: Progress) -> list[IngestOutcome]:
        planned = self._versions.plan(draft, current)
        begun = self._versions.begin(planned, current)
        attached = self._attach(draft.request, begun, planned.parsed.attachments, progress)
        done = self._versions.complete(planned, begun, progress)
        name = draft.request.file_name
        outcome = IngestOutcome(IngestStatus.INDEXED, name, done.document, None, done.fresh, done.failure)
        return [outcome, *attached]

    def _attach(
        self, request: IngestRequest, mail: Document, attachments: Sequence[Attachment], progress: Progress
    ) -> list[IngestOutcome]:
        """Before the mail itself is complete, so that a run that was killed in between reads it again."""
        requests = attached_requests(request, mail, attachments)
        self._lose(request.tenant, mail, {(each.collection, each.source_path) for each in requests})
        if request.nested >= MAX_NESTED_MAILS:
            return [_refused(each, TOO_DEEP) for each in requests]
        self.queue(request.tenant, requests)
        # From here on whatever changes the mail reaches its attachments, too; but did anything until now?
        self._ports.documents.write_all(request.tenant, [(mail, mail)])
        return [outcome for each in requests for outcome in self._attached(each, progress)]

    def _attached(self, request: IngestRequest, progress: Progress) -> list[IngestOutcome]:
        try:
            self.begin(request)
            return self(self.draft(request), progress)
        except Conflict:
            return [_refused(request, CHANGED_MEANWHILE)]

    def _lose(self, tenant: str, mail: Document, kept: set[tuple[str, str]]) -> None:
        for child in self._ports.documents.children(tenant, mail.doc_id):
            if (child.collection, child.source_path or "") not in kept:
                self._family.change(tenant, child, tombstone(child), tombstone)


def _kept_status(current: Document, kept: Document) -> IngestStatus:
    """Who said a policy last is remembered; where it says the same, nobody can tell."""
    if kept.policy_version != current.policy_version:
        return IngestStatus.REPOLICIED
    said = replace(current, policy_from_files=kept.policy_from_files, policy_given_at=kept.policy_given_at)
    return IngestStatus.UNCHANGED if said == kept else IngestStatus.UPDATED


def _refused(request: IngestRequest, reason: str) -> IngestOutcome:
    return IngestOutcome(IngestStatus.REFUSED, request.file_name, None, reason)
