"""Upload tickets: they fix the decisions that can be made about a document before its file is uploaded."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from groundwire.domain.access.scopes import Scope, missing_scope
from groundwire.domain.documents.changes.access import may_decide, may_decide_readers, may_manage_document
from groundwire.domain.documents.changes.tombstones import is_in_force
from groundwire.domain.documents.ids import is_doc_id
from groundwire.domain.documents.links import clean_url
from groundwire.domain.documents.record import Document, DocumentState, RefusalCause
from groundwire.domain.documents.uploads import TICKET_SECONDS, Upload, UploadPolicySource, UploadState, upload_path
from groundwire.domain.errors import Forbidden, InvalidInput, NotFound
from groundwire.domain.limits import UPLOAD_SECONDS
from groundwire.ports import Clock, Documents, IngestLock, Uploads
from groundwire.ports.uploads import UploadedFiles, UploadForms, UploadTerms
from groundwire.services.documents.managed import NOT_CONTRIBUTED
from groundwire.services.ingest.deletions.memory import DeletionMemory
from groundwire.services.uploads.requests import IssuedTicket, UploadProgress, UploadSpec

if TYPE_CHECKING:
    from groundwire.domain.keys.caller import Caller
    from groundwire.services.documents.managed import ManagedDocuments
    from groundwire.services.uploads.plan import PlannedUpload

FILE_NEVER_SENT: Final = "no file was uploaded before the ticket expired: create another ticket"

RESTORATION_FORBIDDEN: Final = (
    "The key may not bring deleted files back. This needs `share`, or the id of a document that the key itself "
    "deleted; a deleted collection needs `admin`. Leave `restore` out to upload a file that nobody deleted."
)
ANOTHER_INGESTION: Final = "another ingestion"
THE_PARSER: Final = "the parser"


@dataclass(frozen=True, slots=True)
class UploadStores:
    """Stores of tickets, forms, files, documents and deletions."""

    tickets: Uploads
    addresses: UploadForms
    files: UploadedFiles
    documents: Documents
    lock: IngestLock
    deletions: DeletionMemory


class UploadTickets:
    """Issuer of upload tickets, which also reports their progress."""

    def __init__(
        self,
        stores: UploadStores,
        managed_documents: "ManagedDocuments",
        clock: Clock,
        new_name: Callable[[], str],
    ) -> None:
        self._stores = stores
        self._managed_documents = managed_documents
        self._clock = clock
        self._new_name = new_name

    def issue(self, caller: "Caller", spec: UploadSpec) -> IssuedTicket:
        """Issue a ticket for one upload.

        Raises:
            InvalidInput: a name, id or URL is not valid, or the id is that of an attachment.
            Forbidden: the key may not ingest such a document.
        """
        self._check_spec(caller, spec)
        decides_about_all = missing_scope(caller.scopes, Scope.SHARE) is None
        now = self._clock()
        # The form ends before its ticket: an upload that began in time may take long.
        expires_at = int(now) + UPLOAD_SECONDS
        upload = Upload(
            ticket=f"up_{self._new_name()}",
            doc_id=spec.doc_id or f"doc_{self._new_name()[:16]}",
            collection=spec.collection,
            file_name=spec.file_name,
            sha256=spec.sha256,
            policy=spec.policy,
            policy_source=spec.policy_source,
            expires_at=now + TICKET_SECONDS,
            metadata=spec.metadata,
            source_url=None if spec.source_url is None else clean_url(spec.source_url),
            restores=spec.restores,
            # Its own document is all that another key may restore: the content elsewhere was deleted by others.
            restores_content=spec.restores and decides_about_all,
            user=caller.principal.user,
            kid=caller.kid,
        )
        tenant = caller.principal.tenant
        # Stored before the form is handed out, so that no file comes without a ticket.
        self._stores.tickets.add(tenant, upload)
        path = upload_path(upload)
        terms = UploadTerms(tenant, upload.ticket, path, spec.size, spec.content_type, spec.sha256, expires_at)
        return IssuedTicket(upload, self._stores.addresses.form(terms), expires_at)

    def plan(self, caller: "Caller", specs: "Sequence[UploadSpec]") -> "list[PlannedUpload]":
        """Return what each upload would do; nothing is issued or changed."""
        # Few calls plan, and each cold start would load it.
        from groundwire.services.uploads.plan import UploadPlanner

        return UploadPlanner(self._stores.documents, self._stores.deletions, self._check_spec)(caller, specs)

    def is_file_awaited(self, tenant: str, ticket: str) -> bool:
        """Return whether no file has been uploaded with the ticket; False also for an unknown ticket."""
        upload = self._stores.tickets.get(tenant, ticket)
        return upload is not None and upload.state is UploadState.AWAITED

    def progress(self, caller: "Caller", ticket: str) -> UploadProgress:
        """Return the progress of the upload.

        Raises:
            NotFound: there is no such ticket, or it ended long ago.
        """
        tenant = caller.principal.tenant
        upload = self._stores.tickets.get(tenant, ticket)
        # Both get the same answer, so that a ticket reveals nothing about other collections.
        if upload is None or not caller.allows_collection(upload.collection):
            raise NotFound(f"There is no upload ticket {ticket!r}, or it expired.")
        match upload.state:
            # First, as a file that came in time may be processed after the ticket expired.
            case UploadState.AWAITED if self._stores.files.contains_upload(tenant, upload):
                return UploadProgress(upload, "queued", None, self._waiting_for(tenant))
            case UploadState.AWAITED if upload.expires_at <= self._clock():
                return UploadProgress(upload, "refused", FILE_NEVER_SENT)
            case UploadState.AWAITED:
                return UploadProgress(upload, "awaiting", None)
            case UploadState.ARRIVED:
                return self._ingestion_progress(tenant, upload)
            case UploadState.DONE:
                return UploadProgress(upload, "indexed", None)
            case UploadState.REFUSED:
                return UploadProgress(upload, "held_back" if upload.is_held_back else "refused", upload.reason)

    def _waiting_for(self, tenant: str) -> str | None:
        return None if self._stores.lock.holder(tenant) is None else ANOTHER_INGESTION

    def _check_spec(self, caller: "Caller", spec: UploadSpec) -> None:
        if not is_doc_id(spec.collection):
            raise InvalidInput(f"{spec.collection!r} cannot be a collection: use letters, digits, '.', '_' and '-'.")
        if not spec.file_name.isprintable() or "/" in spec.file_name or "\\" in spec.file_name:
            raise InvalidInput("A file name is printable text without a slash: the last part of a path.")
        if not caller.allows_collection(spec.collection):
            raise Forbidden("There is no collection of this name, or the key may not use it.")
        self._managed_documents.check_may_grant(caller, spec.policy)
        if spec.doc_id is not None:
            self._check_id(caller, spec.doc_id, spec.policy_source)
        if spec.restores:
            self._check_restoration(caller, spec)

    def _check_restoration(self, caller: "Caller", spec: UploadSpec) -> None:
        """Check that the caller may return a deleted document.

        Raises:
            Forbidden: the caller may not decide. Whether somebody deleted the content plays no part, so the answer
                tells nothing about it.
        """
        tenant, memory = caller.principal.tenant, self._stores.deletions
        has_scope = missing_scope(caller.scopes, Scope.SHARE) is None
        if not (has_scope or self._is_own_deletion(caller, spec.doc_id)):
            raise Forbidden(RESTORATION_FORBIDDEN)
        if Scope.ADMIN not in caller.scopes and memory.deleted_collection(tenant, spec.collection) is not None:
            raise Forbidden(RESTORATION_FORBIDDEN)

    def _is_own_deletion(self, caller: "Caller", doc_id: str | None) -> bool:
        """Return whether the caller deleted this document, which it may end as well."""
        named = None if doc_id is None else self._find_document(caller.principal.tenant, doc_id)
        return named is not None and is_in_force(named) and self._managed_documents.decides_about(caller)(named)

    def _check_id(self, caller: "Caller", doc_id: str, policy_source: UploadPolicySource) -> None:
        """Check the chosen id; a new version replaces the previous one, so the caller must be able to manage it."""
        if not is_doc_id(doc_id):
            raise InvalidInput(f"{doc_id!r} cannot be a document's id: use letters, digits, '.', '_' and '-'.")
        existing = self._find_document(caller.principal.tenant, doc_id)
        if existing is None:
            return
        if not may_manage_document(caller, existing):
            raise Forbidden("The key may not use this document id: choose another one.")
        if not may_decide(caller, existing):
            # The upload would replace its content and its readers.
            raise Forbidden(NOT_CONTRIBUTED)
        if existing.ceiling is not None and not may_decide_readers(caller, existing):
            # The upload would take the record from its file, which would then return without the ceiling.
            raise Forbidden("The key may not replace a document whose readers a person limited.")
        if policy_source is UploadPolicySource.NONE:
            # The new content gets the readers of the old one, as if the caller named them.
            self._managed_documents.check_may_grant(caller, existing.policy)
        if existing.parent is not None:
            raise InvalidInput("This id belongs to an attachment: upload the mail that contains it.")

    def _ingestion_progress(self, tenant: str, upload: Upload) -> UploadProgress:
        document = self._find_document(tenant, upload.doc_id)
        refusal = None if document is None else document.ingestion.refusal
        if refusal is not None and refusal.cause is RefusalCause.PARSER_BUSY:
            return UploadProgress(upload, "waiting", refusal.reason, THE_PARSER)
        if refusal is not None and refusal.cause is RefusalCause.PARSER_BROKEN:
            return UploadProgress(upload, "failed", refusal.reason)
        is_queued = document is not None and document.state is DocumentState.QUEUED
        return UploadProgress(upload, "queued" if is_queued else "parsing", None)

    def _find_document(self, tenant: str, doc_id: str) -> Document | None:
        return self._stores.documents.read(tenant, [doc_id]).get(doc_id)
