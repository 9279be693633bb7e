"""Tags that a tenant's policies use, as proposals for the tags that an agent's key may assert."""

from typing import TYPE_CHECKING, Final, NamedTuple

from groundwire.domain.keys.grants import ALL_COLLECTIONS, CollectionGrant
from groundwire.domain.limits import MAX_POLICY_TAG_DOCUMENTS, MAX_POLICY_TAGS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundwire.domain.documents.record import Document
    from groundwire.ports import Documents

_BATCH: Final = 500
"""Records per read of the registry."""


class PolicyTags(NamedTuple):
    """Tags of policies.

    Attributes:
        tags: in alphabetical order.
        is_complete: False where a limit ended the reading, so that there may be more tags.
    """

    tags: tuple[str, ...]
    is_complete: bool


class PolicyTagReader:
    """Reader of the tags in the policies of living documents."""

    def __init__(self, documents: "Documents") -> None:
        self._documents = documents

    def __call__(self, tenant: str, collections: CollectionGrant) -> PolicyTags:
        """Return the tags that policies in these collections use.

        At most `limits.MAX_POLICY_TAG_DOCUMENTS` records are read, and `limits.MAX_POLICY_TAGS` tags returned.
        """
        found = set[str]()
        covered = (
            document
            for document in self._walk(tenant)
            if collections == ALL_COLLECTIONS or document.collection in collections
        )
        for scanned, document in enumerate(covered):
            if scanned == MAX_POLICY_TAG_DOCUMENTS or len(found) > MAX_POLICY_TAGS:
                return PolicyTags(tuple(sorted(found)[:MAX_POLICY_TAGS]), is_complete=False)
            found |= document.readers.tags
        return PolicyTags(tuple(sorted(found)[:MAX_POLICY_TAGS]), is_complete=len(found) <= MAX_POLICY_TAGS)

    def _walk(self, tenant: str) -> "Iterator[Document]":
        after = None
        while batch := self._documents.page_live(tenant, after, _BATCH):
            yield from batch
            after = batch[-1].doc_id
            if len(batch) < _BATCH:
                return
