"""Requests for an upload, issued tickets, and their progress."""

from dataclasses import dataclass
from typing import Literal

from groundwire.domain.access.policy import Policy
from groundwire.domain.documents.metadata import Metadata
from groundwire.domain.documents.uploads import Upload
from groundwire.ports.uploads import UploadForm

UploadStage = Literal["awaiting", "queued", "parsing", "indexed", "refused"]


@dataclass(frozen=True, slots=True)
class UploadSpec:
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
class IssuedTicket:
    """A ticket that was made, and the form by which the file is sent until `expires_at`."""

    upload: Upload
    form: UploadForm
    expires_at: int


@dataclass(frozen=True, slots=True)
class UploadProgress:
    """How far a file has come.

    Attributes:
        reason: why it was refused.
        waiting_for: what holds up a file that is queued, as far as that is known.
    """

    upload: Upload
    state: UploadStage
    reason: str | None
    waiting_for: str | None = None
