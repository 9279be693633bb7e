"""What a collection, a document or a page may be called, as far as the current user may know of it."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from groundwire.dialects.faults import fault
from groundwire.dialects.quoting import named
from groundwire.domain.errors import Problem
from groundwire.protocol.completion import Completed
from groundwire.services.browse import Reading, Shelves, pages_of
from groundwire.services.call import Call

FoundT = TypeVar("FoundT")


class Completions:
    """Each completes what is typed so far, and may know the other arguments.

    How many names and ids there are is not said: only so many records are looked at.
    """

    def __init__(self, shelves: Shelves, reading: Reading) -> None:
        self._shelves = shelves
        self._reading = reading

    def collections(self, call: Call, typed: str, _known: Mapping[str, str]) -> Completed:
        """Names of collections that hold something to read."""
        found = _answered(call, lambda: self._shelves.collections_named(call.caller, typed))
        return Completed(found.names, None, found.has_more)

    def documents(self, call: Call, typed: str, known: Mapping[str, str]) -> Completed:
        """Ids of documents, of one collection where that is known."""
        found = _answered(call, lambda: self._shelves.documents_named(call.caller, typed, known.get("collection")))
        call.facts["documents"] = [named(document) for document in found.documents]
        return Completed(tuple(document.doc_id for document in found.documents), None, found.has_more)

    def pages(self, call: Call, typed: str, known: Mapping[str, str]) -> Completed:
        """Numbers of the pages of the document that is known."""
        document = _answered(call, lambda: self._reading.document(call.caller, known.get("doc_id", "")))
        if document is None:
            return Completed((), total=0)
        call.facts["documents"] = [named(document)]
        numbers = map(str, range(1, pages_of(document) + 1))
        found = tuple(number for number in numbers if number.startswith(typed))
        return Completed(found, total=len(found))


def _answered(call: Call, find: Callable[[], FoundT]) -> FoundT:
    try:
        return find()
    except Problem as problem:
        raise fault(call, "Completion failed", problem) from problem
