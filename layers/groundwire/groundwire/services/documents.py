"""What owners do with documents that are in: change who may read them, and delete them."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Final

from groundwire.domain.access import Policy
from groundwire.domain.documents import DEAD, Document
from groundwire.domain.errors import Conflict, Invalid, NotFound
from groundwire.ports import Clock, Collections, Documents
from groundwire.services.family import Family
from groundwire.services.ingest.record import deleted, followed, tombstone, with_policy
from groundwire.services.settle import Settling

_TRIES: Final = 5


class DocumentCare:
    """Changes to single documents and whole collections, in force on the next call.

    What a document carries changes with it; an attachment cannot be changed by itself.
    """

    def __init__(self, documents: Documents, collections: Collections, settle: Settling, clock: Clock) -> None:
        """`settle` does not wait for the tenant's ingest lock."""
        self._documents = documents
        self._collections = collections
        self._family = Family(documents, settle, clock)
        self._clock = clock

    def set_policy(self, tenant: str, doc_id: str, policy: Policy) -> Document:
        """The document stands under `policy` whatever policy files say; Raises NotFound, Invalid for an attachment."""
        return self._change(tenant, doc_id, self._giving(policy), _by_operator)

    def follow_policy(self, tenant: str, doc_id: str, policy: Policy, allowed: Callable[[Document], bool]) -> Document:
        """As `set_policy_where`, but said of files and not of this document: what was closed with reason stays so."""
        return self._change(tenant, doc_id, lambda document: followed(document, policy), allowed)

    def delete(self, tenant: str, doc_id: str) -> Document:
        """A tombstone remains: it remembers the last policy, so that those whom it admitted learn of the deletion.

        A file that it came from stays where it is; what was put there before is not brought in again.

        Raises:
            NotFound: there is no such living document.
            Invalid: it is an attachment.
        """
        return self._change(tenant, doc_id, self._deleting(), _by_operator)

    def lose(self, tenant: str, doc_id: str) -> Document:
        """As `delete`, where the document's file is gone: any that is put in its place is brought in."""
        return self._change(tenant, doc_id, tombstone, _by_operator)

    def delete_collection(self, tenant: str, name: str) -> int:
        """The collection and its documents are gone; returns how many documents it had; Raises NotFound."""
        documents = self._documents.all(tenant, name)
        for document in documents:
            if document.parent is None:
                self.delete(tenant, document.doc_id)
        self._collections.delete(tenant, name)
        return len(documents)

    def set_policy_where(
        self, tenant: str, doc_id: str, policy: Policy, allowed: Callable[[Document], bool]
    ) -> Document:
        """As `set_policy` where `allowed` says so of the very record that is changed; else Raises NotFound."""
        return self._change(tenant, doc_id, self._giving(policy), allowed)

    def delete_where(self, tenant: str, doc_id: str, allowed: Callable[[Document], bool]) -> Document:
        """As `delete` where `allowed` says so of the very record that is changed; else Raises NotFound."""
        return self._change(tenant, doc_id, self._deleting(), allowed)

    def _change(
        self,
        tenant: str,
        doc_id: str,
        change: Callable[[Document], Document],
        allowed: Callable[[Document], bool],
    ) -> Document:
        """What was read is read again where an ingestion, or somebody else, has gone on meanwhile."""
        for _ in range(_TRIES - 1):
            with suppress(Conflict):
                return self._change_as_read(tenant, doc_id, change, allowed)
        return self._change_as_read(tenant, doc_id, change, allowed)

    def _change_as_read(
        self,
        tenant: str,
        doc_id: str,
        change: Callable[[Document], Document],
        allowed: Callable[[Document], bool],
    ) -> Document:
        current = self._living(tenant, doc_id)
        if current is None or not allowed(current):
            raise NotFound(f"There is no document {doc_id!r}.", "document")
        if current.parent is not None and (mail := self._living(tenant, current.parent)) is not None:
            raise Invalid(
                f"{current.source_file_name} is an attachment of {mail.source_file_name} ({mail.doc_id}) and follows "
                "it: change or delete that document."
            )
        changed = change(current)
        if changed == current:
            return current
        return self._family.change(tenant, current, changed, change)

    def _deleting(self) -> Callable[[Document], Document]:
        now = self._clock()
        return lambda each: deleted(each, now)

    def _giving(self, policy: Policy) -> Callable[[Document], Document]:
        now = self._clock()
        return lambda each: replace(with_policy(each, policy), policy_from_files=False, policy_given_at=now)

    def _living(self, tenant: str, doc_id: str) -> Document | None:
        found = self._documents.read(tenant, [doc_id]).get(doc_id)
        return None if found is None or found.state in DEAD else found


def _by_operator(_: Document) -> bool:
    """Who reaches the services without a key may change every document."""
    return True
