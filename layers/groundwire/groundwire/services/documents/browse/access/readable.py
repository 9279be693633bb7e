"""Documents that a person can read."""

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from groundwire.domain.limits import MAX_RECORDS_SCANNED
from groundwire.ports.registry.documents import living_documents
from groundwire.services.documents.browse.access.check import AccessExplanation, explain_reading, may_person_read
from groundwire.services.documents.browse.access.person import Person, PersonQuery, PersonResolver

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundwire.domain.documents.record import Document
    from groundwire.ports import Documents
    from groundwire.services.documents.browse.access.view import AccessView


class ReadablePage(NamedTuple):
    """Part of a person's documents.

    Attributes:
        documents: by id, each with the explanation.
        next_after: id after which the next part starts; None at the end.
    """

    person: Person
    documents: tuple[AccessExplanation, ...]
    next_after: str | None


class ReadableDocuments:
    """Reader of the documents of a person, part by part."""

    def __init__(self, documents: "Documents", resolve: PersonResolver) -> None:
        self._documents = documents
        self._resolve = resolve

    def __call__(
        self, view: "AccessView", query: PersonQuery, collection: str | None, after: str | None, limit: int
    ) -> ReadablePage:
        """Return the next documents by id, at most `limit`, among those within the view.

        At most `MAX_RECORDS_SCANNED` records within the view are looked at, so that a part may be short or empty
        although more follow.

        Raises:
            NotFound, InvalidInput, Forbidden: as of `PersonResolver`.
        """
        person = self._resolve(view, query)
        # A person who can read nothing would else have every record of the tenant read by one call.
        found: list[AccessExplanation] = []
        for scanned, document in enumerate(self._walk(view, after), start=1):
            if collection in {None, document.collection} and may_person_read(person, document):
                found.append(explain_reading(person, document))
            if len(found) == limit or scanned == MAX_RECORDS_SCANNED:
                return ReadablePage(person, tuple(found), document.doc_id)
        return ReadablePage(person, tuple(found), None)

    def _walk(self, view: "AccessView", after: str | None) -> "Iterator[Document]":
        # Records beyond the view do not count: where a part ends would tell how many there are.
        visible = filter(view.finds, living_documents(self._documents, view.tenant, after))
        return islice(visible, MAX_RECORDS_SCANNED)
