"""What a collection, a document or a page may be called, as far as the current user may know of it."""

from collections.abc import Callable, Mapping

from groundwire.dialects.faults import fault
from groundwire.domain.errors import Problem
from groundwire.protocol.completion import Completed
from groundwire.services.browse import Named, Reading, Shelves, pages_of
from groundwire.services.call import Call


class Completions:
    """Each completes what is typed so far, and may know the other arguments."""

    def __init__(self, shelves: Shelves, reading: Reading) -> None:
        self._shelves = shelves
        self._reading = reading

    def collections(self, call: Call, typed: str, _known: Mapping[str, str]) -> Completed:
        """Names of collections that hold something to read."""
        return _answered(call, lambda: _completed(self._shelves.collections_named(call.caller, typed)))

    def documents(self, call: Call, typed: str, known: Mapping[str, str]) -> Completed:
        """Ids of documents, of one collection where that is known."""
        found = _answered(
            call, lambda: _completed(self._shelves.documents_named(call.caller, typed, known.get("collection")))
        )
        call.facts["documents"] = list(found.values)
        return found

    def pages(self, call: Call, typed: str, known: Mapping[str, str]) -> Completed:
        """Numbers of the pages of the document that is known."""

        def found() -> Completed:
            document = self._reading.document(call.caller, known.get("doc_id", ""))
            numbers = () if document is None else map(str, range(1, pages_of(document) + 1))
            values = tuple(number for number in numbers if number.startswith(typed))
            return Completed(values, total=len(values))

        return _answered(call, found)


def _completed(found: Named) -> Completed:
    return Completed(found.names, None if found.has_more else len(found.names), found.has_more)


def _answered(call: Call, find: Callable[[], Completed]) -> Completed:
    try:
        return find()
    except Problem as problem:
        raise fault(call, "Completion failed", problem) from problem
