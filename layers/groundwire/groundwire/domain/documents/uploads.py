"""Upload tickets: the known facts of a document before its file is uploaded."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from groundwire.domain.access import policy_json
from groundwire.domain.access.policy import Policy
from groundwire.domain.access.policy_source import DeclaredPolicy
from groundwire.domain.documents import metadata
from groundwire.domain.documents.deletion import HOLD_REASONS
from groundwire.domain.documents.metadata import Metadata, Value
from groundwire.domain.documents.source_file import NO_CONTRIBUTOR, Contributor
from groundwire.domain.limits import UPLOAD_SECONDS
from groundwire.stored.fields import REQUIRED
from groundwire.stored.fields import field as stored_field
from groundwire.stored.kinds import BOOLEAN, MOMENT, TEXT, converted_text, enum_text
from groundwire.stored.stored_type import StoredType

TICKET_SECONDS: Final = UPLOAD_SECONDS + 3_600
"""Lifetime of a ticket. A slow upload that started in time may end later than its form expires."""
TICKET_RETENTION_SECONDS: Final = 7 * 86_400
"""Time for which the row of an expired ticket still gives the result."""


class UploadState(StrEnum):
    """State of the file of an upload ticket."""

    AWAITED = "awaited"
    ARRIVED = "arrived"
    DONE = "done"
    REFUSED = "refused"


class UploadPolicySource(StrEnum):
    """Source of an upload's policy.

    `OPTION`: given with the file. `FILE`: a policy file on the client's machine. `NONE`: neither declares a policy, so
    the document keeps what an earlier option or a manual override gave it; a new document has no readers.
    """

    OPTION = "option"
    FILE = "file"
    NONE = "none"


def declared_by(policy: Policy, source: UploadPolicySource) -> DeclaredPolicy:
    """Return the policy that a client declares for a file, by its source."""
    match source:
        case UploadPolicySource.OPTION:
            return DeclaredPolicy(policy, None)
        case UploadPolicySource.FILE:
            return DeclaredPolicy(None, policy)
        case UploadPolicySource.NONE:
            return DeclaredPolicy(None, None)


@dataclass(frozen=True, slots=True)
class Upload:
    """Ticket for one upload of one file.

    Attributes:
        ticket: unguessable id. doc_id: id of the new document, or of the document that gets a new version.
        file_name: as the client gave it. sha256: of the content, hex, lower case; other content is refused.
        expires_at: epoch seconds, `TICKET_SECONDS` after the ticket was created; a later file is refused.
        policy: of no effect where `policy_source` is `NONE`.
        object_version: version of the stored object that used the ticket; None before.
        reason: why the file was refused or held back; None otherwise.
        restores: the file comes back although a person deleted its document.
        restores_content: and although a person deleted the same content elsewhere in the collection.
        user: user of the call that got the ticket; None where it named nobody, and for tickets of earlier releases.
        kid: key of that call; None for tickets of earlier releases.
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
    policy_source: UploadPolicySource = UploadPolicySource.OPTION
    restores: bool = False
    restores_content: bool = False
    user: str | None = None
    kid: str | None = None

    @property
    def is_held_back(self) -> bool:
        """Return whether a deletion by a person held the file back; such a ticket has ended like a refused one."""
        return self.state is UploadState.REFUSED and self.reason in HOLD_REASONS.values()

    @property
    def contributor(self) -> Contributor:
        """Key and user of the call that got the ticket."""
        return NO_CONTRIBUTOR if self.kid is None else Contributor(self.kid, self.user or "")

    @property
    def declared_policy(self) -> DeclaredPolicy:
        """Policy as the client declared it for the file."""
        return declared_by(self.policy, self.policy_source)

    @property
    def created_at(self) -> float:
        """Creation time of the ticket in epoch seconds; document and policy were decided then."""
        return self.expires_at - TICKET_SECONDS

    @property
    def has_ended(self) -> bool:
        """True once the result of the upload is final."""
        return self.state in {UploadState.DONE, UploadState.REFUSED}


STORED_UPLOAD: Final = StoredType(
    Upload,
    stored_field("ticket", TEXT, absent=REQUIRED),
    stored_field("doc_id", TEXT, absent=REQUIRED),
    stored_field("collection", TEXT, absent=REQUIRED),
    stored_field("file_name", TEXT, absent=REQUIRED),
    stored_field("sha256", TEXT, absent=REQUIRED),
    stored_field(
        "policy", converted_text(policy_json.to_json, policy_json.from_json, is_immutable=True), absent=REQUIRED
    ),
    stored_field("expires_at", MOMENT, absent=REQUIRED),
    stored_field("metadata", converted_text(metadata.to_json, metadata.from_json, is_immutable=False), absent=REQUIRED),
    stored_field("source_url", TEXT, absent=None),
    stored_field("state", enum_text(UploadState), absent=REQUIRED, item_as="upload_state"),
    stored_field("object_version", TEXT, absent=None, stored_as="arrived"),
    stored_field("reason", TEXT, absent=None, item_as="refused_for"),
    stored_field("policy_source", enum_text(UploadPolicySource), absent=UploadPolicySource.OPTION),
    stored_field("restores", BOOLEAN, absent=False),
    stored_field("restores_content", BOOLEAN, absent=False),
    stored_field("user", TEXT, absent=None),
    stored_field("kid", TEXT, absent=None),
)


def upload_path(upload: Upload) -> str:
    """Return the object path below the tenant's prefix: `<collection>/.uploads/<ticket>/file`."""
    return f"{upload.collection}/.uploads/{upload.ticket}/file"
