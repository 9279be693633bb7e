"""Documents in the hands of a key: it sees and changes those that are its business, and all others are not there."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from groundwire.domain.access.policy import Policy
from groundwire.domain.documents.record import TOMBSTONE_STATES, Document
from groundwire.domain.errors import Forbidden, NotFound
from groundwire.domain.keys.sharing import may_assign_policy, may_manage
from groundwire.domain.limits import MAX_RECORDS_SCANNED
from groundwire.ports import Documents

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from groundwire.domain.keys.caller import Caller
    from groundwire.services.documents.admin import DocumentAdmin

SHARE_SCOPE_REQUIRED: Final = (
    "The key lacks the scope `share`: it may name its own user and its own tags as readers, nobody else, and not "
    "make a document public."
)
_BATCH: Final = 100
"""Records per read of the registry."""


@dataclass(frozen=True, slots=True)
class ManagedDocumentPage:
    """A part of the list of documents; `next_after` is the id behind which it goes on, None at its end."""

    documents: tuple[Document, ...]
    next_after: str | None


class ManagedDocuments:
    """What a key with the right to manage documents does with them.

    Args:
        load_admin: gives what changes documents; reading records needs none of it.
    """

    def __init__(self, documents: Documents, load_admin: "Callable[[], DocumentAdmin]") -> None:
        self._documents = documents
        self._load_admin = load_admin

    def find(self, caller: "Caller", doc_id: str) -> Document:
        """The living document; Raises NotFound, in the same words for one that is not the caller's business."""
        found = self._documents.read(caller.principal.tenant, [doc_id]).get(doc_id)
        if found is None or found.state in TOMBSTONE_STATES or not self._is_managed_by(caller)(found):
            raise NotFound(f"There is no document {doc_id!r}.", "document")
        return found

    def set_policy(self, caller: "Caller", doc_id: str, policy: Policy) -> Document:
        """The document stands under the policy; Raises NotFound, Denied, Invalid for an attachment."""
        self.find(caller, doc_id)
        self.check_may_grant(caller, policy)
        return self._load_admin().override_policy_if(
            caller.principal.tenant, doc_id, policy, self._is_managed_by(caller)
        )

    def delete(self, caller: "Caller", doc_id: str) -> Document:
        """A tombstone remains; Raises NotFound, Invalid for an attachment."""
        return self._load_admin().delete_if(caller.principal.tenant, doc_id, self._is_managed_by(caller))

    def check_may_grant(self, caller: "Caller", policy: Policy) -> None:
        """Returns where the caller may give a document these readers; Raises Denied."""
        if not may_assign_policy(caller, policy):
            raise Forbidden(SHARE_SCOPE_REQUIRED)

    def all(self, caller: "Caller") -> "Iterator[Document]":
        """Every living document that is the caller's business, by id."""
        every = self._walk(caller.principal.tenant, None)
        return (each for each in every if may_manage(caller, each.collection, each.policy))

    def page(self, caller: "Caller", collection: str | None, after: str | None, limit: int) -> ManagedDocumentPage:
        """The next documents by id, at most `limit`; after a bounded walk fewer, or none, and still it may go on."""
        found: list[Document] = []
        for looked, document in enumerate(self._walk(caller.principal.tenant, after), start=1):
            if collection in {None, document.collection} and may_manage(caller, document.collection, document.policy):
                found.append(document)
            if len(found) == limit or looked == MAX_RECORDS_SCANNED:
                return ManagedDocumentPage(tuple(found), document.doc_id)
        return ManagedDocumentPage(tuple(found), None)

    def _is_managed_by(self, caller: "Caller") -> "Callable[[Document], bool]":
        return lambda document: may_manage(caller, document.collection, document.policy)

    def _walk(self, tenant: str, after: str | None) -> "Iterator[Document]":
        while batch := self._documents.page_live(tenant, after, _BATCH):
            yield from batch
            after = batch[-1].doc_id
            if len(batch) < _BATCH:
                return
