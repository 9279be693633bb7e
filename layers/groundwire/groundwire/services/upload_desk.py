"""Upload tickets: what may be known and decided of a document before its file has come is decided now."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from groundwire.domain.access import Policy
from groundwire.domain.documents import Document, DocumentState
from groundwire.domain.errors import Denied, Invalid, NotFound
from groundwire.domain.limits import UPLOAD_SECONDS
from groundwire.domain.metadata import Metadata
from groundwire.domain.references import is_doc_id
from groundwire.domain.sharing import may_manage
from groundwire.domain.source_urls import cleaned_url
from groundwire.domain.uploads import TICKET_SECONDS, Upload, UploadState, upload_path
from groundwire.ports import Clock, Documents, IngestLock, Uploads
from groundwire.ports.upload_addresses import UploadAddresses, UploadedFiles, UploadForm, UploadTerms

if TYPE_CHECKING:
    from groundwire.domain.caller import Caller
    from groundwire.services.stewardship import Stewardship

NEVER_CAME: Final = "no file came while the ticket was good: ask for another one"

ANOTHER_INGESTION: Final = "another ingestion"

Progress = Literal["awaiting", "queued", "parsing", "indexed", "refused"]


@dataclass(frozen=True, slots=True)
class UploadOrder:
    """A file that is to come.

    Attributes:
        size: exactly, bytes. sha256: of the content, hex, lower case.
        doc_id: chosen, or of the document that gets a new version; None: made.
    """

    collection: str
    file_name: str
    size: int
    sha256: str
    content_type: str
    policy: Policy
    doc_id: str | None
    metadata: Metadata
    source_url: str | None


@dataclass(frozen=True, slots=True)
class Ticket:
    """A ticket that was made, and the form by which the file is sent until `ends_at`."""

    upload: Upload
    form: UploadForm
    ends_at: int


@dataclass(frozen=True, slots=True)
class UploadProgress:
    """How far a file has come.

    Attributes:
        reason: why it was refused.
        waiting_for: what holds up a file that is queued, as far as that is known.
    """

    upload: Upload
    state: Progress
    reason: str | None
    waiting_for: str | None = None


@dataclass(frozen=True, slots=True)
class UploadStores:
    """Where tickets, forms, files and documents are kept."""

    tickets: Uploads
    addresses: UploadAddresses
    files: UploadedFiles
    documents: Documents
    lock: IngestLock


class UploadDesk:
    """Gives out tickets, and says what became of them."""

    def __init__(
        self,
        stores: UploadStores,
        stewardship: "Stewardship",
        clock: Clock,
        new_name: Callable[[], str],
    ) -> None:
        self._stores = stores
        self._stewardship = stewardship
        self._clock = clock
        self._new_name = new_name

    def open(self, caller: "Caller", order: UploadOrder) -> Ticket:
        """A file may come, once; Raises Invalid, Denied."""
        self._check(caller, order)
        now = self._clock()
        ends_at = int(now) + UPLOAD_SECONDS
        upload = Upload(
            ticket=f"up_{self._new_name()}",
            doc_id=order.doc_id or f"doc_{self._new_name()[:16]}",
            collection=order.collection,
            file_name=order.file_name,
            sha256=order.sha256,
            policy=order.policy,
            expires_at=now + TICKET_SECONDS,
            metadata=order.metadata,
            source_url=None if order.source_url is None else cleaned_url(order.source_url),
        )
        tenant = caller.principal.tenant
        self._stores.tickets.add(tenant, upload)
        path = upload_path(upload)
        terms = UploadTerms(tenant, upload.ticket, path, order.size, order.content_type, order.sha256, ends_at)
        return Ticket(upload, self._stores.addresses.form(terms), ends_at)

    def awaits(self, tenant: str, ticket: str) -> bool:
        """Tells whether no file has come with the ticket; false, too, for a ticket that nobody knows."""
        upload = self._stores.tickets.get(tenant, ticket)
        return upload is not None and upload.state is UploadState.AWAITED

    def progress(self, caller: "Caller", ticket: str) -> UploadProgress:
        """What became of the file; Raises NotFound."""
        tenant = caller.principal.tenant
        upload = self._stores.tickets.get(tenant, ticket)
        if upload is None or not caller.reaches(upload.collection):
            raise NotFound(f"There is no upload ticket {ticket!r}, or it ended long ago.")
        match upload.state:
            case UploadState.AWAITED if self._stores.files.has(tenant, upload):
                return UploadProgress(upload, "queued", None, self._waiting_for(tenant))
            case UploadState.AWAITED if upload.expires_at <= self._clock():
                return UploadProgress(upload, "refused", NEVER_CAME)
            case UploadState.AWAITED:
                return UploadProgress(upload, "awaiting", None)
            case UploadState.ARRIVED:
                return UploadProgress(upload, self._under_way(tenant, upload.doc_id), None)
            case UploadState.DONE:
                return UploadProgress(upload, "indexed", None)
            case UploadState.REFUSED:
                return UploadProgress(upload, "refused", upload.reason)

    def _waiting_for(self, tenant: str) -> str | None:
        return None if self._stores.lock.holder(tenant) is None else ANOTHER_INGESTION

    def _check(self, caller: "Caller", order: UploadOrder) -> None:
        if not is_doc_id(order.collection):
            raise Invalid(f"{order.collection!r} cannot be a collection: use letters, digits, '.', '_' and '-'.")
        if not order.file_name.isprintable() or "/" in order.file_name or "\\" in order.file_name:
            raise Invalid("A file name is printable text without a slash: the last part of a path.")
        if not caller.reaches(order.collection):
            raise Denied("The key does not reach a collection of this name.")
        self._stewardship.allow(caller, order.policy)
        if order.doc_id is not None:
            self._check_id(caller, order.doc_id)

    def _check_id(self, caller: "Caller", doc_id: str) -> None:
        """A new version takes the place of the one before, so only those who manage that may bring it."""
        if not is_doc_id(doc_id):
            raise Invalid(f"{doc_id!r} cannot be a document's id: use letters, digits, '.', '_' and '-'.")
        known = self._known(caller.principal.tenant, doc_id)
        if known is None:
            return
        if not may_manage(caller, known.collection, known.policy):
            raise Denied("The key may not bring in a document under this id: choose another.")
        if known.parent is not None:
            raise Invalid("This id is that of an attachment, which comes with its mail: bring in the mail.")

    def _under_way(self, tenant: str, doc_id: str) -> Progress:
        known = self._known(tenant, doc_id)
        return "queued" if known is not None and known.state is DocumentState.QUEUED else "parsing"

    def _known(self, tenant: str, doc_id: str) -> Document | None:
        return self._stores.documents.read(tenant, [doc_id]).get(doc_id)
