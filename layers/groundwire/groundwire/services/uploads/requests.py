"""Requests for an upload, issued tickets, and their progress."""

from dataclasses import dataclass
from typing import Literal

from groundwire.domain.access.policy import Policy
from groundwire.domain.documents.metadata import Metadata
from groundwire.domain.documents.uploads import Upload, UploadPolicySource
from groundwire.ports.uploads import UploadForm

UploadStage = Literal["awaiting", "queued", "parsing", "waiting", "failed", "indexed", "refused", "held_back"]


@dataclass(frozen=True, slots=True)
class UploadSpec:
    """Specification of a file to be uploaded.

    Attributes:
        policy: of no effect where `policy_source` is `NONE`.
        size: exact size in bytes. sha256: of the content, hex, lower case.
        doc_id: chosen id, or that of the document that gets a new version; None: generated.
        restores: the file comes back although a person deleted its document; with `share`, or its content elsewhere.
    """

    collection: str
    file_name: str
    size: int
    sha256: str
    content_type: str
    policy: Policy
    policy_source: UploadPolicySource
    doc_id: str | None
    metadata: Metadata
    source_url: str | None
    restores: bool = False


@dataclass(frozen=True, slots=True)
class IssuedTicket:
    """A ticket with its upload form, valid until `expires_at`."""

    upload: Upload
    form: UploadForm
    expires_at: int


@dataclass(frozen=True, slots=True)
class UploadProgress:
    """Progress of an upload.

    Attributes:
        reason: why it was refused or held back, or the parser has not read it.
        waiting_for: cause of the delay of a queued or waiting file, as far as it is known.
    """

    upload: Upload
    state: UploadStage
    reason: str | None
    waiting_for: str | None = None
