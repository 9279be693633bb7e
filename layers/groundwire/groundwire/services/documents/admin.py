"""Administration of ingested documents: policy changes and deletion."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from groundwire.domain.access.policy import Policy
from groundwire.domain.access.policy_source import followed_policy
from groundwire.domain.documents.changes.lifecycle import following_policy, with_manual_policy
from groundwire.domain.documents.changes.tombstones import deleted, tombstone
from groundwire.domain.documents.record import TOMBSTONE_STATES, Document
from groundwire.domain.errors import Conflict, InvalidInput, NotFound
from groundwire.ports import Clock, Collections, Documents
from groundwire.retry import RetryPolicy, retry_on
from groundwire.services.documents.attachment_tree import AttachmentTree
from groundwire.services.documents.reconcile import ReconcileFunction

_RETRY: Final = RetryPolicy(attempts=5)


ChangeListener = Callable[[Document, Document], None]
"""Function that is called with the record before and after a change, before it is written."""


@dataclass(frozen=True, slots=True)
class PolicyOverride:
    """Document after a manual override of its policy, and the policy of the very record that was changed."""

    document: Document
    previous: Policy


class DocumentAdmin:
    """Changes to single documents and whole collections, in force on the next call.

    Attachments change with their parent document; an attachment cannot be changed by itself.
    """

    def __init__(
        self, documents: Documents, collections: Collections, reconcile: ReconcileFunction, clock: Clock
    ) -> None:
        """Initialise; `reconcile` does not wait for the tenant's ingest lock."""
        self._documents = documents
        self._collections = collections
        self._attachments = AttachmentTree(documents, reconcile, clock)
        self._clock = clock

    def override_policy(self, tenant: str, doc_id: str, policy: Policy) -> Document:
        """Override the document's policy manually; policy files no longer apply.

        Raises:
            NotFound: there is no such living document.
            InvalidInput: it is an attachment.
        """
        return self.override_policy_if(tenant, doc_id, policy, _always_allowed).document

    def apply_file_policy(
        self, tenant: str, doc_id: str, policy: Policy | None, before_write: ChangeListener
    ) -> Document:
        """Apply a change of policy files to the document and its attachments, by the rule of `followed_policy`.

        A record that was closed with a reason stays closed.

        Args:
            tenant: owner of the document.
            doc_id: id of the document.
            policy: of the nearest policy file; None where no policy file speaks.
            before_write: called where the record changes; an error of it leaves the record as it is.

        Raises:
            NotFound: there is no such living document.
            InvalidInput: it is an attachment.
        """

        def change(document: Document) -> Document:
            return following_policy(document, followed_policy(policy, document.sourced_policy))

        def change_attachments(changed: Document) -> Callable[[Document], Document]:
            return lambda attachment: following_policy(attachment, changed.sourced_policy)

        return self._change(tenant, doc_id, change, _always_allowed, before_write, change_attachments)

    def delete(self, tenant: str, doc_id: str) -> Document:
        """Replace the document by a tombstone with its last policy, so that its former readers learn of the deletion.

        The source file stays where it is; content put there before the deletion is not ingested again.

        Raises:
            NotFound: there is no such living document.
            InvalidInput: it is an attachment.
        """
        return self._change(tenant, doc_id, self._deletion(), _always_allowed)

    def remove_source(self, tenant: str, doc_id: str, before_write: ChangeListener) -> Document:
        """Delete a document whose source file was removed; a file that is put there later is ingested.

        Args:
            tenant: owner of the document.
            doc_id: id of the document.
            before_write: called before the deletion; an error of it leaves the record as it is.

        Raises:
            NotFound: there is no such living document.
            InvalidInput: it is an attachment.
        """
        return self._change(tenant, doc_id, tombstone, _always_allowed, before_write)

    def delete_collection(self, tenant: str, name: str) -> int:
        """Delete the collection and its documents; return the number of documents.

        Raises:
            NotFound: there is no such collection.
        """
        documents = self._documents.all(tenant, name)
        for document in documents:
            if document.parent is None:
                self.delete(tenant, document.doc_id)
        self._collections.delete(tenant, name)
        return len(documents)

    def override_policy_if(
        self, tenant: str, doc_id: str, policy: Policy, is_allowed: Callable[[Document], bool]
    ) -> PolicyOverride:
        """Override the policy as `override_policy` does, where `is_allowed` accepts the very record that is changed.

        Raises:
            NotFound: there is no such living document, or `is_allowed` rejects it.
            InvalidInput: it is an attachment.
        """
        previous = policy

        def noting_previous(current: Document) -> bool:
            nonlocal previous
            previous = current.policy
            return is_allowed(current)

        document = self._change(tenant, doc_id, self._policy_override(policy), noting_previous)
        return PolicyOverride(document, previous)

    def delete_if(self, tenant: str, doc_id: str, is_allowed: Callable[[Document], bool]) -> Document:
        """Delete as `delete` does, where `is_allowed` accepts the very record that is changed.

        Raises:
            NotFound: there is no such living document, or `is_allowed` rejects it.
            InvalidInput: it is an attachment.
        """
        return self._change(tenant, doc_id, self._deletion(), is_allowed)

    def _change(
        self,
        tenant: str,
        doc_id: str,
        change: Callable[[Document], Document],
        is_allowed: Callable[[Document], bool],
        before_write: ChangeListener | None = None,
        change_attachments: Callable[[Document], Callable[[Document], Document]] | None = None,
    ) -> Document:
        """Change the document, and retry with the stored record after a concurrent change.

        Args:
            tenant: owner of the document.
            doc_id: id of the document.
            change: returns the changed record.
            is_allowed: returns whether this record may be changed.
            before_write: called with the record and the changed one, at each attempt.
            change_attachments: returns, for the changed record, the change of its attachments; None: `change`.
        """
        return retry_on(
            Conflict,
            lambda: self._change_once(tenant, doc_id, change, is_allowed, before_write, change_attachments),
            _RETRY,
        )

    def _change_once(
        self,
        tenant: str,
        doc_id: str,
        change: Callable[[Document], Document],
        is_allowed: Callable[[Document], bool],
        before_write: ChangeListener | None,
        change_attachments: Callable[[Document], Callable[[Document], Document]] | None,
    ) -> Document:
        current = self._live_document(tenant, doc_id)
        if current is None or not is_allowed(current):
            raise NotFound(f"There is no document {doc_id!r}.", "document")
        if current.parent is not None and (mail := self._live_document(tenant, current.parent)) is not None:
            raise InvalidInput(
                f"{current.source_file_name} is an attachment of {mail.source_file_name} ({mail.doc_id}). "
                "Change or delete that document instead."
            )
        changed = change(current)
        if changed == current:
            return current
        if before_write is not None:
            before_write(current, changed)
        follow = change if change_attachments is None else change_attachments(changed)
        return self._attachments.change(tenant, current, changed, follow)

    def _deletion(self) -> Callable[[Document], Document]:
        now = self._clock()
        return lambda each: deleted(each, now)

    def _policy_override(self, policy: Policy) -> Callable[[Document], Document]:
        now = self._clock()
        return lambda each: with_manual_policy(each, policy, now)

    def _live_document(self, tenant: str, doc_id: str) -> Document | None:
        found = self._documents.read(tenant, [doc_id]).get(doc_id)
        return None if found is None or found.state in TOMBSTONE_STATES else found


def _always_allowed(_: Document) -> bool:
    """Allow all changes: callers of the services without a key are operators."""
    return True
