"""Documents in the hands of a key: it sees and changes those that are its business, and all others are not there."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from groundwire.domain.access import Policy
from groundwire.domain.documents import DEAD, Document
from groundwire.domain.errors import Denied, NotFound
from groundwire.domain.limits import MAX_RECORDS_WALKED
from groundwire.domain.sharing import may_give, may_manage
from groundwire.ports import Documents

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from groundwire.domain.caller import Caller
    from groundwire.services.documents import DocumentCare

BEYOND: Final = (
    "The key lacks the scope `share`: it may name its own user and its own tags as readers, nobody else, and not "
    "make a document public."
)
_BATCH: Final = 100
"""Records per read of the registry."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of the list of documents; `after` is the id behind which it goes on, None at its end."""

    documents: tuple[Document, ...]
    after: str | None


class Stewardship:
    """What a key with the right to manage documents does with them.

    Args:
        care: gives what changes documents; reading records needs none of it.
    """

    def __init__(self, documents: Documents, care: "Callable[[], DocumentCare]") -> None:
        self._documents = documents
        self._care = care

    def find(self, caller: "Caller", doc_id: str) -> Document:
        """The living document; Raises NotFound, in the same words for one that is not the caller's business."""
        found = self._documents.read(caller.principal.tenant, [doc_id]).get(doc_id)
        if found is None or found.state in DEAD or not self._managed_by(caller)(found):
            raise NotFound(f"There is no document {doc_id!r}.", "document")
        return found

    def set_policy(self, caller: "Caller", doc_id: str, policy: Policy) -> Document:
        """The document stands under the policy; Raises NotFound, Denied, Invalid for an attachment."""
        self.find(caller, doc_id)
        self.allow(caller, policy)
        return self._care().set_policy_where(caller.principal.tenant, doc_id, policy, self._managed_by(caller))

    def delete(self, caller: "Caller", doc_id: str) -> Document:
        """A tombstone remains; Raises NotFound, Invalid for an attachment."""
        return self._care().delete_where(caller.principal.tenant, doc_id, self._managed_by(caller))

    def allow(self, caller: "Caller", policy: Policy) -> None:
        """Returns where the caller may give a document these readers; Raises Denied."""
        if not may_give(caller, policy):
            raise Denied(BEYOND)

    def all(self, caller: "Caller") -> "Iterator[Document]":
        """Every living document that is the caller's business, by id."""
        every = self._walk(caller.principal.tenant, None)
        return (each for each in every if may_manage(caller, each.collection, each.policy))

    def stretch(self, caller: "Caller", collection: str | None, after: str | None, limit: int) -> Stretch:
        """The next documents by id, at most `limit`; after a bounded walk fewer, or none, and still it may go on."""
        found: list[Document] = []
        for looked, document in enumerate(self._walk(caller.principal.tenant, after), start=1):
            if collection in {None, document.collection} and may_manage(caller, document.collection, document.policy):
                found.append(document)
            if len(found) == limit or looked == MAX_RECORDS_WALKED:
                return Stretch(tuple(found), document.doc_id)
        return Stretch(tuple(found), None)

    def _managed_by(self, caller: "Caller") -> "Callable[[Document], bool]":
        return lambda document: may_manage(caller, document.collection, document.policy)

    def _walk(self, tenant: str, after: str | None) -> "Iterator[Document]":
        while batch := self._documents.living(tenant, after, _BATCH):
            yield from batch
            after = batch[-1].doc_id
            if len(batch) < _BATCH:
                return
