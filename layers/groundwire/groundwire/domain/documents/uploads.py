"""Upload tickets: what is known of a document before its file has come."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from groundwire.domain.access.policy import Policy
from groundwire.domain.documents.metadata import Metadata, Value
from groundwire.domain.limits import UPLOAD_SECONDS

TICKET_SECONDS: Final = UPLOAD_SECONDS + 3_600
"""A slow upload that began in time ends later than its form."""
TICKET_RETENTION_SECONDS: Final = 7 * 86_400
"""After a ticket ended its row still tells what became of the file."""


class UploadState(StrEnum):
    """What became of the file that a ticket is for."""

    AWAITED = "awaited"
    ARRIVED = "arrived"
    DONE = "done"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that somebody was allowed to bring, once.

    Attributes:
        ticket: names it; unguessable. doc_id: of the document that it becomes, or is a new version of.
        file_name: as it was told. sha256: of the content, hex, lower case; other content is refused.
        expires_at: epoch seconds, `TICKET_SECONDS` after the ticket was made; what arrives later is refused.
        object_version: the stored object's version that used the ticket; None before.
        reason: why the file was refused; None otherwise.
    """

    ticket: str
    doc_id: str
    collection: str
    file_name: str
    sha256: str
    policy: Policy
    expires_at: float
    metadata: Metadata = field(default_factory=dict[str, Value])
    source_url: str | None = None
    state: UploadState = UploadState.AWAITED
    object_version: str | None = None
    reason: str | None = None

    @property
    def created_at(self) -> float:
        """When its document and its policy were decided about, epoch seconds."""
        return self.expires_at - TICKET_SECONDS

    @property
    def has_ended(self) -> bool:
        """Whether it is told already what became of the file."""
        return self.state in {UploadState.DONE, UploadState.REFUSED}


def upload_path(upload: Upload) -> str:
    """Where the file comes to lie, beneath all that is the tenant's: `<collection>/.uploads/<ticket>/file`."""
    return f"{upload.collection}/.uploads/{upload.ticket}/file"
