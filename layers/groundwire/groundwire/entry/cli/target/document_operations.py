"""Operations of commands on the documents of a tenant."""

from groundwire.domain.access.policy import Policy
from groundwire.domain.access.policy_input import policy_to_mapping
from groundwire.entry.cli.console import Row
from groundwire.entry.cli.target.action_client import ActionClient, rows_of
from groundwire.entry.cli.target.tag_operations import new_tags_member


class DocumentOperations:
    """A tenant's documents; each method raises Forbidden where the command's own key may not do it."""

    def __init__(self, client: ActionClient) -> None:
        self._client = client

    def all(self, collection: str | None, *conditions: str) -> list[Row]:
        """Return the documents of one collection, or of all when it is None, by name.

        Conditions are `ceilings` and `policy_differs`.

        Raises:
            NotFound: there is no such collection.
        """
        chosen = dict.fromkeys(conditions, True)
        rows = self._all_pages("documents.list", collection=collection, **chosen)
        return sorted(rows, key=lambda row: (str(row["file"]), str(row["doc_id"])))

    def show(self, doc_id: str, max_passages: int | None) -> Row:
        """Return a document with its first `passages`, or all for None; `segments` is the number of all.

        Their text is null where the caller may not read it.

        Raises:
            NotFound: there is no such document.
        """
        record = page = self._client.execute("documents.show", doc_id=doc_id, max_passages=max_passages)
        passages = rows_of(record, "passages")
        while max_passages is None and (start := page.get("next_passage")) is not None:
            page = self._client.execute("documents.show", doc_id=doc_id, max_passages=None, from_passage=start)
            passages += rows_of(page, "passages")
        return {name: value for name, value in record.items() if name != "next_passage"} | {"passages": passages}

    def copies(self, doc_id: str) -> list[Row]:
        """Return the other documents with the same bytes, as far as the caller manages them.

        Raises:
            NotFound: there is no such document.
        """
        return self._all_pages("documents.copies", doc_id=doc_id)

    def set_policy(
        self, doc_id: str, policy: Policy, reason: str = "", *, allows_new: bool = False, until_next_run: bool = False
    ) -> Row:
        """Set the document's readers, until they are lifted or only until the next run.

        Args:
            doc_id: id of the document.
            policy: the readers.
            reason: why, for the record.
            allows_new: accepts a tag that nobody has although it resembles one in use.
            until_next_run: a run that declares a policy replaces this one.

        Raises:
            NotFound: there is no such document.
            InvalidInput: it is an attachment, or the policy is invalid.
        """
        # A service of an earlier release knows none of these members.
        members = new_tags_member(allows_new=allows_new) | ({"until_next_run": True} if until_next_run else {})
        decided = {"reason": reason} if reason else {}
        return self._client.execute(
            "documents.set-policy", doc_id=doc_id, policy=policy_to_mapping(policy), **members, **decided
        )

    def close(self, doc_id: str, reason: str) -> Row:
        """Close the document for everybody until it is lifted.

        Raises:
            NotFound: there is no such document.
            InvalidInput: it is an attachment.
        """
        return self._client.execute("documents.close", doc_id=doc_id, reason=reason)

    def lift(self, doc_id: str, reason: str) -> Row:
        """End the ceiling of the document.

        Raises:
            NotFound: there is no such document.
            InvalidInput: it is an attachment.
        """
        return self._client.execute("documents.lift", doc_id=doc_id, reason=reason)

    def delete(self, doc_id: str, reason: str) -> Row:
        """Delete a document until it is restored; return at least `doc_id` and `file`.

        Raises:
            NotFound: there is no such document.
            InvalidInput: it is an attachment.
        """
        return self._client.execute("documents.delete", doc_id=doc_id, reason=reason)

    def deleted(self, collection: str | None) -> list[Row]:
        """Return the deleted documents of one collection, or of all when it is None."""
        return self._all_pages("documents.list-deleted", collection=collection)

    def restore(self, doc_id: str, reason: str) -> Row:
        """End the deletion of a document; return at least `doc_id` and `file`.

        Raises:
            NotFound: there is no such deleted document.
        """
        return self._client.execute("documents.restore", doc_id=doc_id, reason=reason)

    def forget(self, doc_id: str, reason: str) -> Row:
        """Forget which file a deleted document had; return at least `doc_id` and `file`.

        Raises:
            NotFound: there is no such deleted document.
        """
        return self._client.execute("documents.forget", doc_id=doc_id, reason=reason)

    def _all_pages(self, action: str, **fields: object) -> list[Row]:
        """Return the rows of all pages: an answer of a stack's function has a limit."""
        page = self._client.execute(action, **fields)
        rows = rows_of(page, "documents")
        while (after := page.get("next")) is not None:
            page = self._client.execute(action, after=after, **fields)
            rows += rows_of(page, "documents")
        return rows
