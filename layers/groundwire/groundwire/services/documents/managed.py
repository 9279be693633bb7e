"""Documents that a key manages: the key sees and changes only these, and all others do not exist for it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from groundwire.domain.access.decision import Decision
from groundwire.domain.access.policy import Policy
from groundwire.domain.access.scopes import Scope, missing_scope
from groundwire.domain.documents.changes.access import has_made, may_decide, may_decide_readers, may_manage_document
from groundwire.domain.documents.changes.ceiling import every_document, for_own_files, limiting
from groundwire.domain.documents.deletion import DeletionExtent
from groundwire.domain.documents.record import TOMBSTONE_STATES, Document
from groundwire.domain.errors import Forbidden, NotFound
from groundwire.domain.keys.sharing import may_assign_policy
from groundwire.domain.limits import MAX_RECORDS_SCANNED
from groundwire.ports import Collections, Documents

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from groundwire.domain.keys.caller import Caller
    from groundwire.services.documents.admin import DocumentAdmin, PolicyOverride, ReadersChoice

SHARE_SCOPE_REQUIRED: Final = (
    "The key lacks the scope `share`. Without it, the readers can be only the key's own user and its own tags."
)
NOT_CONTRIBUTED: Final = (
    "This key and user did not contribute the document. To delete it, replace it or change its readers, use a key with "
    "the scope `share`."
)
LIMITED_BY_SOMEBODY_ELSE: Final = (
    "Somebody else limited the readers of this document. To change the limit, use a key with the scope `share`."
)
_BATCH: Final = 100
"""Records per read of the registry."""


@dataclass(frozen=True, slots=True)
class ManagedDocumentPage:
    """Page of the list of documents; `next_after` is the id after which the next page starts, None at the end."""

    documents: tuple[Document, ...]
    next_after: str | None


def decision_of(caller: "Caller", reason: str) -> Decision:
    """Return the decision of the person behind a call, whose time is that of the change; the reason was cleaned."""
    return Decision(caller.principal.user or "", 0.0, caller.kid, reason)


class ManagedDocuments:
    """Operations of a key with the right to manage documents.

    Args:
        load_admin: returns the service that changes documents; reading records does not need it.
    """

    def __init__(
        self,
        documents: Documents,
        collections: Collections,
        load_admin: "Callable[[], DocumentAdmin]",
    ) -> None:
        self._documents = documents
        self._collections = collections
        self._load_admin = load_admin

    def find(self, caller: "Caller", doc_id: str) -> Document:
        """Return the living document.

        Raises:
            NotFound: there is no such document, or the caller does not manage it; the message is the same.
        """
        found = self._documents.read(caller.principal.tenant, [doc_id]).get(doc_id)
        if found is None or found.state in TOMBSTONE_STATES or not may_manage_document(caller, found):
            raise NotFound(f"There is no document {doc_id!r}.", "document")
        return found

    def set_policy(
        self, caller: "Caller", doc_id: str, policy: Policy, reason: str, *, until_next_run: bool
    ) -> "PolicyOverride":
        """Set the document's readers until they are lifted, or with `until_next_run` until a run declares others.

        Raises:
            NotFound: there is no such document, or the caller does not manage it.
            Forbidden: the caller may not assign this policy, or not decide about this document.
            Conflict: files and options name the readers in its collection.
            InvalidInput: it is an attachment.
        """
        found = self._find_to_decide(caller, doc_id)
        self.check_may_grant(caller, policy)
        # Imported on use: no other operation needs the settings of a collection.
        from groundwire.domain.documents.changes.policy_authority import check_people_decide

        check_people_decide(self._collections.all(caller.principal.tenant), found)
        if not until_next_run:
            return self.decide_readers(caller, doc_id, limiting(policy), reason)
        is_allowed = self._is_decided_by(caller)
        return self._load_admin().override_policy_if(caller.principal.tenant, doc_id, policy, is_allowed)

    def decide_readers(self, caller: "Caller", doc_id: str, choose: "ReadersChoice", reason: str) -> "PolicyOverride":
        """Set the ceiling of the document, close it, or lift its ceiling.

        Raises:
            NotFound: there is no such document, or the caller does not manage it.
            Forbidden: the caller may not decide about this document, or about the limit that somebody else set.
            InvalidInput: it is an attachment.
        """
        if not may_decide_readers(caller, self._find_to_decide(caller, doc_id)):
            raise Forbidden(LIMITED_BY_SOMEBODY_ELSE)

        def is_allowed(document: Document) -> bool:
            return may_manage_document(caller, document) and may_decide_readers(caller, document)

        if missing_scope(caller.scopes, Scope.SHARE) is not None:
            choose = for_own_files(choose)
        return self._load_admin().decide_readers_if(
            caller.principal.tenant, doc_id, choose, decision_of(caller, reason), is_allowed
        )

    def delete(self, caller: "Caller", doc_id: str, reason: str) -> Document:
        """Replace the document by a tombstone, which holds its file back until a person restores it.

        Files of others, and the same content at other paths, are held back only where the caller decides about all
        documents of the collection.

        Raises:
            NotFound: there is no such document, or the caller does not manage it.
            Forbidden: the caller may not decide about this document.
            InvalidInput: it is an attachment.
        """
        self._find_to_decide(caller, doc_id)
        tenant, is_allowed = caller.principal.tenant, self._is_decided_by(caller)
        return self._load_admin().delete_if(
            tenant, doc_id, decision_of(caller, reason), is_allowed, self.deletion_extent(caller)
        )

    def deletion_extent(self, caller: "Caller") -> "Callable[[Document], DeletionExtent]":
        """Return the function that returns what a deletion by the caller holds back."""
        # Whoever may only ingest files could else hold back the files of others: known bytes by a copy of its own, and
        # a known path by a document under the id that is made from it.
        has_scope = missing_scope(caller.scopes, Scope.SHARE) is None

        def extent(document: Document) -> DeletionExtent:
            decides_about_all = has_scope and caller.allows_collection(document.collection)
            return DeletionExtent.CONTENT if decides_about_all else DeletionExtent.OWN

        return extent

    def decides_about(self, caller: "Caller") -> "Callable[[Document], bool]":
        """Return the predicate of tombstones whose deletion the caller may end: by its scope, or as its own.

        Who contributed a document does not bring it back after somebody else has deleted it.
        """
        has_scope = missing_scope(caller.scopes, Scope.SHARE) is None
        return lambda document: (
            may_manage_document(caller, document) and (has_scope or has_made(caller, document.deletion.decision))
        )

    def may_forget(self, caller: "Caller") -> "Callable[[Document], bool]":
        """Return the predicate of tombstones that the caller may forget: with one, its ceiling is forgotten as well."""
        decides = self.decides_about(caller)
        return lambda document: decides(document) and (document.ceiling is None or may_decide_readers(caller, document))

    def check_may_grant(self, caller: "Caller", policy: Policy) -> None:
        """Check that the caller may give a document these readers.

        Raises:
            Forbidden: the policy exceeds the caller's own rights.
        """
        if not may_assign_policy(caller, policy):
            raise Forbidden(SHARE_SCOPE_REQUIRED)

    def all(self, caller: "Caller") -> "Iterator[Document]":
        """Iterate over the living documents that the caller manages, by id."""
        documents = self._walk(caller.principal.tenant, None)
        return (document for document in documents if may_manage_document(caller, document))

    def page(
        self,
        caller: "Caller",
        collection: str | None,
        after: str | None,
        limit: int,
        is_wanted: "Callable[[Document], bool]" = every_document,
    ) -> ManagedDocumentPage:
        """Return the next documents by id, at most `limit`.

        The walk is bounded, so a page may be short or empty although more pages follow.
        """
        found: list[Document] = []
        for scanned, document in enumerate(self._walk(caller.principal.tenant, after), start=1):
            is_listed = collection in {None, document.collection} and is_wanted(document)
            if is_listed and may_manage_document(caller, document):
                found.append(document)
            if len(found) == limit or scanned == MAX_RECORDS_SCANNED:
                return ManagedDocumentPage(tuple(found), document.doc_id)
        return ManagedDocumentPage(tuple(found), None)

    def _find_to_decide(self, caller: "Caller", doc_id: str) -> Document:
        """Return the document about which the caller decides.

        Raises:
            NotFound: there is no such document, or the caller does not manage it.
            Forbidden: the caller manages it without the right to decide about it.
        """
        found = self.find(caller, doc_id)
        if not may_decide(caller, found):
            raise Forbidden(NOT_CONTRIBUTED)
        return found

    def _is_decided_by(self, caller: "Caller") -> "Callable[[Document], bool]":
        return lambda document: may_manage_document(caller, document) and may_decide(caller, document)

    def _walk(self, tenant: str, after: str | None) -> "Iterator[Document]":
        while batch := self._documents.page_live(tenant, after, _BATCH):
            yield from batch
            after = batch[-1].doc_id
            if len(batch) < _BATCH:
                return
