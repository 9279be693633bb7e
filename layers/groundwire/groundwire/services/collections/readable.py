"""The collections in which a caller can read something: index and registry decide, for the rights of the moment."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from groundwire.domain.errors import Superseded
from groundwire.domain.limits import COLLECTION_SAMPLE_DOCUMENTS, MAX_COLLECTION_SAMPLES

if TYPE_CHECKING:
    # Not at run time: a list of tools reads the collections' names and settings alone where none is described.
    from groundwire.domain.documents.collection import Collection
    from groundwire.domain.keys.caller import Caller
    from groundwire.ports import Collections, Documents, Indexes

_DESCRIPTION_SECONDS: Final = 2.0
"""Time for the documents that confirm descriptions: a client lists tools before its user can ask anything."""

DescribedCollectionsFunction = Callable[["Caller"], "Sequence[Collection]"]
"""Function such as `ReadableCollections.described`."""


class ReadableCollections:
    """Collections that exist for a caller: the index has a row that admits it, and the registry confirms the document.

    A collection that is hidden, empty or unknown is absent, at the same work. The work does not grow with the number of
    documents: the index is asked for a few of each collection at once, and the registry for their records.

    Index and documents are behind functions: they are opened when a collection has to be confirmed.
    """

    def __init__(
        self, indexes: "Callable[[], Indexes]", documents: "Callable[[], Documents]", collections: "Collections"
    ) -> None:
        self._indexes = indexes
        self._documents = documents
        self._collections = collections

    def all(self, caller: "Caller") -> "list[Collection]":
        """Return the collections that exist for the caller, by name."""
        return self._select(caller, self._granted(caller))

    def described(self, caller: "Caller") -> "list[Collection]":
        """Return those of them that have a description; without any description the index is not read.

        Raises:
            Unavailable: index and registry take longer than a list of tools may wait for them.
        """
        described = [each for each in self._granted(caller) if each.description is not None]
        if not described:
            return []
        from groundwire.ports.deadline import time_limit

        with time_limit(_DESCRIPTION_SECONDS):
            return self._select(caller, described)

    def existing(self, caller: "Caller", names: Sequence[str]) -> frozenset[str]:
        """Return those of the names whose collections exist for the caller; a name may be any text."""
        granted = [name for name in names if caller.allows_collection(name)]
        if not granted:
            return frozenset()
        try:
            return self._sample(caller, granted)
        except Superseded:
            # Another generation of the index became live meanwhile.
            return self._sample(caller, granted)

    def _granted(self, caller: "Caller") -> "list[Collection]":
        collections = self._collections.all(caller.principal.tenant)
        return sorted((each for each in collections if caller.allows_collection(each.name)), key=lambda each: each.name)

    def _select(self, caller: "Caller", collections: "Sequence[Collection]") -> "list[Collection]":
        names = self.existing(caller, [each.name for each in collections])
        return [each for each in collections if each.name in names]

    def _sample(self, caller: "Caller", names: Sequence[str]) -> frozenset[str]:
        """Sample documents until each collection is confirmed, has no further document, or was sampled often enough."""
        from groundwire.domain.search.request import ALL_DOCUMENTS
        from groundwire.ports import DocumentsByCollection, RowSelection, lexical_half

        index = lexical_half(self._indexes().for_tenant(caller.principal.tenant))
        confirmed, denied = set[str](), frozenset[str]()
        pending = sorted(set(names))
        for _ in range(MAX_COLLECTION_SAMPLES):
            rows = RowSelection(caller.principal, pending, ALL_DOCUMENTS, None)
            found = index.select(DocumentsByCollection(rows, denied, COLLECTION_SAMPLE_DOCUMENTS))
            confirmed |= self._confirm(caller, found)
            pending = [name for name in found if name not in confirmed]
            if not pending:
                break
            denied |= {doc_id for name in pending for doc_id in found[name]}
        return frozenset(confirmed)

    def _confirm(self, caller: "Caller", found: Mapping[str, Sequence[str]]) -> set[str]:
        """Return the collections of which the caller may read a sampled document, as the registry has it now.

        A published version has its rows in the index, so a row of another version confirms it as well.
        """
        if not found:
            return set()
        from groundwire.services.documents.browse.read_access import may_read

        doc_ids = sorted({doc_id for sampled in found.values() for doc_id in sampled})
        records = self._documents().read(caller.principal.tenant, doc_ids)
        readable = {
            (record.collection, record.doc_id)
            for record in records.values()
            if record.segments > 0 and may_read(caller, record)
        }
        return {name for name, sampled in found.items() if any((name, doc_id) in readable for doc_id in sampled)}
