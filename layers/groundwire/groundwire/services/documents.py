"""What owners do with documents that are in: change who may read them, and delete them."""

from collections.abc import Callable
from dataclasses import replace

from groundwire.domain.access import Policy
from groundwire.domain.documents import Document, DocumentState
from groundwire.domain.errors import NotFound
from groundwire.ports import Clock, Collections, Documents
from groundwire.services.ingest.record import with_policy
from groundwire.services.settle import Settle


class DocumentCare:
    """Changes to single documents and whole collections, in force on the next call."""

    def __init__(self, documents: Documents, collections: Collections, settle: Settle, clock: Clock) -> None:
        self._documents = documents
        self._collections = collections
        self._settle = settle
        self._clock = clock

    def set_policy(self, tenant: str, doc_id: str, policy: Policy) -> Document:
        """The document stands under `policy`; Raises NotFound."""
        return self._change(tenant, doc_id, lambda document: with_policy(document, policy))

    def delete(self, tenant: str, doc_id: str) -> Document:
        """A tombstone remains: it remembers the last policy, so that those whom it admitted learn of the deletion.

        Raises:
            NotFound: there is no such living document.
        """
        return self._change(tenant, doc_id, _tombstone)

    def delete_collection(self, tenant: str, name: str) -> int:
        """The collection and its documents are gone; returns how many documents it had; Raises NotFound."""
        documents = self._documents.all(tenant, name)
        for document in documents:
            self.delete(tenant, document.doc_id)
        self._collections.delete(tenant, name)
        return len(documents)

    def _change(self, tenant: str, doc_id: str, change: Callable[[Document], Document]) -> Document:
        current = self._documents.read(tenant, [doc_id]).get(doc_id)
        if current is None or current.state is DocumentState.DELETED:
            raise NotFound(f"There is no document {doc_id!r}: `groundwire documents list` names them.")
        changed = change(current)
        if changed == current:
            return current
        changed = replace(changed, index_stale=True, updated_at=self._clock())
        self._documents.write(tenant, changed, current)
        return self._settle(tenant, changed)


def _tombstone(document: Document) -> Document:
    return replace(
        document,
        state=DocumentState.DELETED,
        title="",
        source_path=None,
        source_url=None,
        blob=None,
        content_hash="",
        reason=None,
        policy_version=document.policy_version + 1,
    )
