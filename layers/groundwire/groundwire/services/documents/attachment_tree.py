"""A document and what it carries: attachments stand under the policy of their mail, and go with it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from groundwire.domain.documents.record import Document
from groundwire.domain.errors import Conflict
from groundwire.ports import Clock, Documents
from groundwire.services.reconcile import ReconcileFunction

_MAX_ATTEMPTS: Final = 5
"""An attachment that is being brought in while its mail changes: the family is read again, and so on."""


def list_descendants(documents: Documents, tenant: str, doc_id: str) -> list[Document]:
    """The living documents that this one carries, and those that they carry."""
    children = documents.children(tenant, doc_id)
    return [each for child in children for each in (child, *list_descendants(documents, tenant, child.doc_id))]


class AttachmentTree:
    """Changes a document together with what it carries, all in one step."""

    def __init__(self, documents: Documents, reconcile: ReconcileFunction, clock: Clock) -> None:
        self._documents = documents
        self._reconcile = reconcile
        self._clock = clock

    def change(
        self, tenant: str, current: Document, changed: Document, change_descendant: Callable[[Document], Document]
    ) -> Document:
        """`changed` and what `change_descendant` makes of each document beneath it are in force at once; the settled record.

        Raises:
            Conflict: one of them was changed by somebody else; nothing was written.
        """
        for _ in range(_MAX_ATTEMPTS - 1):
            try:
                return self._attempt(tenant, current, changed, change_descendant)
            except Conflict:
                if not self._is_unchanged(tenant, current):
                    raise
        return self._attempt(tenant, current, changed, change_descendant)

    def _attempt(
        self, tenant: str, current: Document, changed: Document, change_descendant: Callable[[Document], Document]
    ) -> Document:
        carried = list_descendants(self._documents, tenant, current.doc_id)
        changes = [(changed, current), *((change_descendant(each), each) for each in carried)]
        stale = [(self._marked_stale(after, before), before) for after, before in changes]
        self._documents.write_attachment_tree(tenant, stale)
        settled = [self._reconcile(tenant, after) if after != before else after for after, before in stale]
        return settled[0]

    def _marked_stale(self, after: Document, before: Document) -> Document:
        return before if after == before else replace(after, index_stale=True, updated_at=self._clock())

    def _is_unchanged(self, tenant: str, current: Document) -> bool:
        stored = self._documents.read(tenant, [current.doc_id]).get(current.doc_id)
        return stored is not None and stored.version_token == current.version_token
