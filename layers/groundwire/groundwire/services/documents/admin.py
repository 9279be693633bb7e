"""Administration of ingested documents: policy changes and deletion."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from groundwire.domain.access.decision import Decision
from groundwire.domain.access.policy import NO_READERS, Policy, single_policy
from groundwire.domain.access.policy_source import followed_policy
from groundwire.domain.documents.changes.ceiling import PolicyOverride, ReadersChoice
from groundwire.domain.documents.changes.lifecycle import (
    following_policy,
    with_manual_policy,
    with_policy,
    with_tag_renamed,
)
from groundwire.domain.documents.changes.tombstones import deleted, vanished
from groundwire.domain.documents.deletion import UNKNOWN_DECISION, DeletionExtent
from groundwire.domain.documents.record import TOMBSTONE_STATES, Document
from groundwire.domain.errors import Conflict, InvalidInput, NotFound
from groundwire.ports import Clock, Collections, Documents
from groundwire.retry import RetryPolicy, retry_on
from groundwire.services.documents.attachment_tree import AttachmentTree
from groundwire.services.documents.reconcile import ReconcileFunction

if TYPE_CHECKING:
    from groundwire.domain.audit.ingestion import WriteLine
    from groundwire.services.documents.collection_deletion import DeletionRecords

_RETRY: Final = RetryPolicy(attempts=5)


ChangeListener = Callable[[Document, Document], None]
"""Function that is called with the record before and after a change, before it is written."""


def _always_allowed(_: Document) -> bool:
    """Allow all changes: callers of the services without a key are operators."""
    return True


class DocumentAdmin:
    """Changes to single documents and whole collections, in force on the next call.

    Attachments change with their parent document; an attachment cannot be changed by itself.
    """

    def __init__(
        self,
        documents: Documents,
        collections: Collections,
        deletions: "DeletionRecords",
        reconcile: ReconcileFunction,
        write_line: "WriteLine",
        clock: Clock,
    ) -> None:
        """Initialise; `reconcile` does not wait for the ingest lock, `write_line` writes a line of the audit log."""
        self._write_line = write_line
        self._deletions = deletions
        self._documents, self._collections = documents, collections
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

    def rename_tag(self, tenant: str, doc_id: str, old: str, new: str) -> None:
        """Replace a tag in the policies of the document, living or deleted, and its attachments; their sources stay.

        A deleted document may return with the readers that it had. One without a record is left out.
        """
        retry_on(Conflict, lambda: self._rename_tag(tenant, doc_id, old, new), _RETRY)

    def _rename_tag(self, tenant: str, doc_id: str, old: str, new: str) -> None:
        found = self._documents.read(tenant, [doc_id]).get(doc_id)
        if found is not None and found.state in TOMBSTONE_STATES:
            self._documents.write(tenant, with_tag_renamed(found, old, new), found)
        elif found is not None:
            changed = with_tag_renamed(found, old, new)
            self._attachments.change(tenant, found, changed, lambda each: with_tag_renamed(each, old, new))

    def delete(self, tenant: str, doc_id: str, decision: Decision = UNKNOWN_DECISION) -> Document:
        """Replace the document by a tombstone with its last policy, so that its former readers learn of the deletion.

        The source file stays where it is. Neither that path nor the content is ingested until a person restores it.

        Raises:
            NotFound: there is no such living document.
            InvalidInput: it is an attachment.
        """
        deletion = self._deletion(tenant, decision, lambda _document: DeletionExtent.CONTENT)
        return self._change(tenant, doc_id, deletion, _always_allowed)

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
        mark = self._deletions.vanishing_content
        return self._change(
            tenant, doc_id, lambda each: vanished(each, mark(tenant, each)), _always_allowed, before_write
        )

    def delete_collection(self, tenant: str, name: str, decision: Decision = UNKNOWN_DECISION) -> tuple[Document, ...]:
        """Delete the collection and its documents; return the documents as they were before.

        No ingestion creates the collection again until a person restores or creates it.

        Raises:
            NotFound: there is no such collection.
            Conflict: a document was changed again and again; a repetition deletes the rest.
        """
        # Few processes delete a collection, and each cold start would load it.
        from groundwire.services.documents.collection_deletion import CollectionDeletion

        delete = CollectionDeletion(self._documents, self._collections, self._deletions, self.delete, self._write_line)
        return delete(tenant, name, decision)

    def override_policy_if(
        self, tenant: str, doc_id: str, policy: Policy, is_allowed: Callable[[Document], bool]
    ) -> PolicyOverride:
        """Override the policy as `override_policy` does, where `is_allowed` accepts the very record that is changed.

        Raises:
            NotFound: there is no such living document, or `is_allowed` rejects it.
            InvalidInput: it is an attachment.
        """
        now = self._clock()
        return self._change_readers(tenant, doc_id, lambda each: with_manual_policy(each, policy, now), is_allowed)

    def decide_readers_if(
        self,
        tenant: str,
        doc_id: str,
        choose: ReadersChoice,
        decision: Decision,
        is_allowed: Callable[[Document], bool] = _always_allowed,
    ) -> PolicyOverride:
        """Apply a person's decision about the readers, which lasts whatever is ingested afterwards.

        Args:
            tenant: owner of the document.
            doc_id: id of the document.
            choose: returns the record after the decision, one of `domain.documents.changes.ceiling`.
            decision: who decides and why; its time is that of the change.
            is_allowed: returns whether this very record may be changed.

        Raises:
            NotFound: there is no such living document, or `is_allowed` rejects it.
            InvalidInput: it is an attachment.
        """
        timed = replace(decision, decided_at=self._clock())
        return self._change_readers(tenant, doc_id, lambda each: choose(each, timed), is_allowed)

    def _change_readers(
        self,
        tenant: str,
        doc_id: str,
        change: Callable[[Document], Document],
        is_allowed: Callable[[Document], bool],
    ) -> PolicyOverride:
        previous = single_policy(NO_READERS)

        def noting_previous(current: Document) -> bool:
            nonlocal previous
            previous = current.readers
            return is_allowed(current)

        def follow(changed: Document) -> Callable[[Document], Document]:
            return lambda attachment: with_policy(attachment, changed.sourced_policy)

        return PolicyOverride(self._change(tenant, doc_id, change, noting_previous, None, follow), previous)

    def delete_if(
        self,
        tenant: str,
        doc_id: str,
        decision: Decision,
        is_allowed: Callable[[Document], bool],
        extent: Callable[[Document], DeletionExtent],
    ) -> Document:
        """Delete as `delete` does, where `is_allowed` accepts the very record that is changed.

        Args:
            tenant: owner of the document.
            doc_id: id of the document.
            decision: who decides and why; its time is that of the change.
            is_allowed: returns whether this very record may be deleted.
            extent: returns what the deletion of this record holds back.

        Raises:
            NotFound: there is no such living document, or `is_allowed` rejects it.
            InvalidInput: it is an attachment.
        """
        return self._change(tenant, doc_id, self._deletion(tenant, decision, extent), is_allowed)

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

    def _deletion(
        self, tenant: str, decision: Decision, extent: Callable[[Document], DeletionExtent]
    ) -> Callable[[Document], Document]:
        timed = replace(decision, decided_at=self._clock())

        def change(document: Document) -> Document:
            held = extent(document)
            mark = self._deletions.content_mark(tenant, document) if held is DeletionExtent.CONTENT else ""
            return deleted(document, timed, mark, is_own=held is DeletionExtent.OWN)

        return change

    def _live_document(self, tenant: str, doc_id: str) -> Document | None:
        found = self._documents.read(tenant, [doc_id]).get(doc_id)
        return None if found is None or found.state in TOMBSTONE_STATES else found
