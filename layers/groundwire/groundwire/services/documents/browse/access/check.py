"""Check of a person's access to a document: allowed or not, and everything on which this rests."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from groundwire.domain.access.policy import AccessReason, Allow
from groundwire.domain.documents.ids import doc_id_from_uid
from groundwire.domain.documents.record import Document
from groundwire.domain.errors import NotFound
from groundwire.services.documents.browse.access.explanation import ReadersExplanation, explain_readers
from groundwire.services.documents.browse.access.person import CallDenial, Person, PersonQuery, PersonResolver
from groundwire.services.documents.browse.read_access import DocumentDenial, decide_reading

if TYPE_CHECKING:
    from groundwire.ports import Documents
    from groundwire.services.documents.browse.access.view import AccessView

Reason = CallDenial | DocumentDenial | AccessReason
"""Reason of an explanation: of the call, of the document's state or collection, or of its readers."""


@dataclass(frozen=True, slots=True)
class AccessExplanation:
    """Reasons why a person may read a document now, or may not.

    Attributes:
        reason: the first that decides, in the order in which a call is decided.
        readers: what the document's readers alone decide about the person, whatever the reason is.
    """

    allowed: bool
    reason: Reason
    person: Person
    document: Document
    readers: ReadersExplanation


def explain_reading(person: Person, document: Document) -> AccessExplanation:
    """Return the explanation of whether a person may read a document now."""
    readers = explain_readers(person.principal, document.readers)
    if person.denial is not None:
        return AccessExplanation(allowed=False, reason=person.denial, person=person, document=document, readers=readers)
    decided = decide_reading(person.principal, person.reaches, document)
    reason = decided if isinstance(decided, DocumentDenial) else decided.reason
    return AccessExplanation(isinstance(decided, Allow), reason, person, document, readers)


def may_person_read(person: Person, document: Document) -> bool:
    """Return whether a person may read a document now."""
    return person.denial is None and isinstance(decide_reading(person.principal, person.reaches, document), Allow)


class AccessChecker:
    """Checker of one document."""

    def __init__(self, documents: "Documents", resolve: PersonResolver) -> None:
        self._documents = documents
        self._resolve = resolve

    def __call__(self, view: "AccessView", query: PersonQuery, doc_id: str) -> AccessExplanation:
        """Return the explanation for a person and a document, by its id or by the uid of one of its passages.

        Raises:
            NotFound: there is no such document or key within the view; the message is the same for both cases.
            InvalidInput, Forbidden: as of `PersonResolver`.
        """
        return explain_reading(self._resolve(view, query), find_document(self._documents, view, doc_id))


def find_document(documents: "Documents", view: "AccessView", name: str) -> Document:
    """Return the living document with this id, or with a passage of this uid.

    Raises:
        NotFound: there is none within the view.
    """
    # A document may have an id that looks like the uid of a passage, and that id comes first.
    for doc_id in dict.fromkeys((name, doc_id_from_uid(name) or name)):
        found = documents.read(view.tenant, [doc_id]).get(doc_id)
        if found is not None and view.finds(found):
            return found
    raise NotFound(f"There is no document {name!r}.", "document")
