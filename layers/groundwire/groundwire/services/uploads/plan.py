"""Plan of uploads: what each file would do to documents and readers, without a ticket and without a change."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from groundwire.domain.access.policy import NO_READERS, Readers, removes_readers, single_policy
from groundwire.domain.access.policy_source import effective_policy
from groundwire.domain.documents.changes.tombstones import is_in_force
from groundwire.domain.documents.deletion import HOLD_REASONS, HoldCause
from groundwire.domain.documents.record import TOMBSTONE_STATES, Document, DocumentState
from groundwire.domain.documents.uploads import declared_by
from groundwire.domain.errors import Forbidden, InvalidInput
from groundwire.services.ingest.runs.plan import PlannedAction
from groundwire.services.ingest.source_objects.file_types import is_readable_type

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from groundwire.domain.keys.caller import Caller
    from groundwire.ports import Documents
    from groundwire.services.ingest.deletions.memory import DeletionMemory
    from groundwire.services.uploads.requests import UploadSpec

_UNREAD_TYPE = "files of this type are not read"


@dataclass(frozen=True, slots=True)
class PlannedUpload:
    """Plan of one file.

    Attributes:
        before: readers of the present version; None without one.
        after: readers of the version that the file would become; None where it would be left out.
        reason: why it would be left out.
    """

    spec: "UploadSpec"
    action: PlannedAction
    before: Readers | None = None
    after: Readers | None = None
    reason: str | None = None

    @property
    def adds_readers(self) -> bool:
        """Truth of the claim that somebody could read the document then, and cannot now."""
        return self.after is not None and removes_readers(self.after, self.before or single_policy(NO_READERS))

    @property
    def removes_readers(self) -> bool:
        """Truth of the claim that somebody can read the document now, and could not then."""
        return self.after is not None and self.before is not None and removes_readers(self.before, self.after)


class UploadPlanner:
    """Planner of the uploads of a caller.

    Args:
        check: raises what the request for a ticket would; so a plan tells a caller nothing more than tickets do.
    """

    def __init__(
        self, documents: "Documents", deletions: "DeletionMemory", check: "Callable[[Caller, UploadSpec], None]"
    ) -> None:
        self._documents = documents
        self._deletions = deletions
        self._check = check

    def __call__(self, caller: "Caller", specs: "Sequence[UploadSpec]") -> list[PlannedUpload]:
        """Return the plans in the order of the files."""
        tenant = caller.principal.tenant
        named = list({spec.doc_id for spec in specs if spec.doc_id is not None})
        stored = self._documents.read(tenant, named)
        deleted = {each.name for each in self._deletions.deleted_collections(tenant)}
        return [self._plan(caller, spec, stored.get(spec.doc_id or ""), deleted) for spec in specs]

    def _plan(self, caller: "Caller", spec: "UploadSpec", stored: Document | None, deleted: set[str]) -> PlannedUpload:
        try:
            self._check(caller, spec)
        except (Forbidden, InvalidInput) as error:
            return PlannedUpload(spec, PlannedAction.REFUSED, reason=str(error))
        if not is_readable_type(spec.file_name):
            return PlannedUpload(spec, PlannedAction.REFUSED, reason=_UNREAD_TYPE)
        hold = None if spec.restores else _hold(spec, stored, deleted)
        if hold is not None:
            return PlannedUpload(spec, PlannedAction.HELD_BACK, reason=HOLD_REASONS[hold])
        current = None if stored is None or stored.state in TOMBSTONE_STATES else stored
        declared = declared_by(spec.policy, spec.policy_source)
        policy = effective_policy(declared, None, None if current is None else current.sourced_policy)
        before = current.readers if current is not None and current.state is DocumentState.INDEXED else None
        return PlannedUpload(spec, _action(spec, current, policy.readers), before, policy.readers)


def _hold(spec: "UploadSpec", stored: Document | None, deleted: set[str]) -> HoldCause | None:
    if spec.collection in deleted:
        return HoldCause.COLLECTION
    return HoldCause.DOCUMENT if stored is not None and is_in_force(stored) else None


def _action(spec: "UploadSpec", current: Document | None, after: Readers) -> PlannedAction:
    if current is None:
        return PlannedAction.NEW
    has_same_content = (current.content_hash, current.collection, current.state) == (
        *(spec.sha256, spec.collection),
        DocumentState.INDEXED,
    )
    if not has_same_content:
        return PlannedAction.CHANGED
    if current.readers != after:
        return PlannedAction.REPOLICIED
    has_same_members = (current.source_file_name, current.metadata) == (spec.file_name, spec.metadata)
    return PlannedAction.UNCHANGED if has_same_members else PlannedAction.UPDATED
