"""Questions about access: may a person read a document and why, who can read it, what can a person read, what if."""

from typing import TYPE_CHECKING

from groundwire.wiring.lazy import Lazy

if TYPE_CHECKING:
    from groundwire.ports import Clock
    from groundwire.services.documents.browse.access.check import AccessChecker
    from groundwire.services.documents.browse.access.person import PersonResolver
    from groundwire.services.documents.browse.access.readable import ReadableDocuments
    from groundwire.services.documents.browse.access.readers import AccessStores, ReadersFinder
    from groundwire.services.documents.browse.access.search_as import PersonImpersonation
    from groundwire.services.documents.browse.access.what_if import AccessSimulator
    from groundwire.services.documents.browse.access.why_not import MissingDocument
    from groundwire.wiring.backends import Stores
    from groundwire.wiring.use_cases.reading import ReadingUseCases


class ExplanationUseCases:
    """Use cases that explain access; none of them changes anything."""

    def __init__(self, stores: "Stores", clock: "Clock") -> None:
        self._stores, self._clock = stores, clock

    def missing_document(self, reading: "ReadingUseCases") -> "MissingDocument":
        """Return the explainer of documents that an answer lacks; only it needs the search."""
        from groundwire.services.documents.browse.access.why_not import MissingDocument

        return MissingDocument(self._stores.documents, self._resolver, lambda: reading.search.traced, self._clock)

    @Lazy
    def check(self) -> "AccessChecker":
        """Explanation of whether a person may read a document."""
        from groundwire.services.documents.browse.access.check import AccessChecker

        return AccessChecker(self._stores.documents, self._resolver)

    @Lazy
    def readers(self) -> "ReadersFinder":
        """Readers of a document."""
        from groundwire.services.documents.browse.access.readers import ReadersFinder

        return ReadersFinder(self._access_stores, self._clock)

    @Lazy
    def documents(self) -> "ReadableDocuments":
        """Documents that a person can read."""
        from groundwire.services.documents.browse.access.readable import ReadableDocuments

        return ReadableDocuments(self._stores.documents, self._resolver)

    @Lazy
    def what_if(self) -> "AccessSimulator":
        """Effects of a change before it is made."""
        from groundwire.services.documents.browse.access.what_if import AccessSimulator

        return AccessSimulator(self._access_stores, self._resolver, self.readers)

    @Lazy
    def search_as(self) -> "PersonImpersonation":
        """Caller of a search as another person."""
        from groundwire.services.documents.browse.access.search_as import PersonImpersonation

        return PersonImpersonation(self._resolver, self._clock)

    @Lazy
    def _resolver(self) -> "PersonResolver":
        from groundwire.services.documents.browse.access.person import PersonResolver

        return PersonResolver(self._stores.keys, self._stores.users, self._clock)

    @Lazy
    def _access_stores(self) -> "AccessStores":
        from groundwire.services.documents.browse.access.readers import AccessStores

        stores = self._stores
        return AccessStores(stores.documents, stores.users, stores.keys, stores.groups, stores.collections)
