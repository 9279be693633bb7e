"""Attachment tree: a document and its attachments, which share its policy and its existence."""

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Final

from groundwire.domain.documents.changes.lifecycle import marked_stale
from groundwire.domain.documents.changes.tombstones import tombstone
from groundwire.domain.documents.record import Document
from groundwire.domain.errors import Conflict
from groundwire.ports import Clock, Documents
from groundwire.retry import RetryPolicy, retry_on
from groundwire.services.documents.reconcile import ReconcileFunction

_RETRY: Final = RetryPolicy(attempts=5)
"""Attempts when an attachment is ingested while its mail changes: the tree is read again each time."""


def list_descendants(documents: Documents, tenant: str, doc_id: str) -> list[Document]:
    """Return the living attachments of this document, and their attachments."""
    children = documents.children(tenant, doc_id)
    return [each for child in children for each in (child, *list_descendants(documents, tenant, child.doc_id))]


class AttachmentTree:
    """Writer that changes a document and its attachment tree in one step."""

    def __init__(self, documents: Documents, reconcile: ReconcileFunction, clock: Clock) -> None:
        self._documents = documents
        self._reconcile = reconcile
        self._clock = clock

    def change(
        self, tenant: str, current: Document, changed: Document, change_descendant: Callable[[Document], Document]
    ) -> Document:
        """Write `changed`, and each descendant after `change_descendant`, in one step; return the reconciled record.

        Raises:
            Conflict: one of them was changed by somebody else; nothing was written.
        """
        return retry_on(
            Conflict,
            lambda: self._attempt(tenant, current, changed, change_descendant),
            _RETRY,
            lambda _conflict: self._is_unchanged(tenant, current),
        )

    def discard_others(self, tenant: str, parent: Document, remaining: Collection[tuple[str, str]]) -> None:
        """Delete the attachments of the parent, except those with these pairs of collection and source path."""
        for child in self._documents.children(tenant, parent.doc_id):
            if (child.collection, child.source_path or "") not in remaining:
                self.change(tenant, child, tombstone(child), tombstone)

    def _attempt(
        self, tenant: str, current: Document, changed: Document, change_descendant: Callable[[Document], Document]
    ) -> Document:
        descendants = list_descendants(self._documents, tenant, current.doc_id)
        changes = [(changed, current), *((change_descendant(each), each) for each in descendants)]
        stale = [(self._marked_stale(after, before), before) for after, before in changes]
        self._documents.write_attachment_tree(tenant, stale)
        reconciled = [self._reconcile(tenant, after) if after != before else after for after, before in stale]
        return reconciled[0]

    def _marked_stale(self, after: Document, before: Document) -> Document:
        return before if after == before else replace(marked_stale(after), updated_at=self._clock())

    def _is_unchanged(self, tenant: str, current: Document) -> bool:
        stored = self._documents.read(tenant, [current.doc_id]).get(current.doc_id)
        return stored is not None and stored.version_token == current.version_token
