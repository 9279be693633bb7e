"""What a collection, a document or a page may be called, as far as the current user may know of it."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from groundwire.dialects.quotations import audit_name
from groundwire.dialects.tool_errors import tool_error
from groundwire.domain.errors import DomainError
from groundwire.protocol.definitions.completions import CompletionResult
from groundwire.services.call_context import CallContext
from groundwire.services.documents.browse import DocumentCatalog, DocumentReader, count_pages

ResultT = TypeVar("ResultT")


class LibraryCompletions:
    """Each completes what is typed so far, and may know the other arguments.

    How many names and ids there are is not said: only so many records are looked at.
    """

    def __init__(self, catalog: DocumentCatalog, reader: DocumentReader) -> None:
        self._catalog = catalog
        self._reader = reader

    def collections(self, call: CallContext, prefix: str, _other_arguments: Mapping[str, str]) -> CompletionResult:
        """Names of collections that hold something to read."""
        found = _with_tool_errors(call, lambda: self._catalog.find_collections(call.caller, prefix))
        return CompletionResult(found.names, None, found.has_more)

    def documents(self, call: CallContext, prefix: str, other_arguments: Mapping[str, str]) -> CompletionResult:
        """Ids of documents, of one collection where that is known."""
        found = _with_tool_errors(
            call, lambda: self._catalog.find_documents(call.caller, prefix, other_arguments.get("collection"))
        )
        call.audit_fields["documents"] = [audit_name(document) for document in found.documents]
        return CompletionResult(tuple(document.doc_id for document in found.documents), None, found.has_more)

    def pages(self, call: CallContext, prefix: str, other_arguments: Mapping[str, str]) -> CompletionResult:
        """Numbers of the pages of the document that is known."""
        document = _with_tool_errors(
            call, lambda: self._reader.document(call.caller, other_arguments.get("doc_id", ""))
        )
        if document is None:
            return CompletionResult((), total=0)
        call.audit_fields["documents"] = [audit_name(document)]
        numbers = map(str, range(1, count_pages(document) + 1))
        found = tuple(number for number in numbers if number.startswith(prefix))
        return CompletionResult(found, total=len(found))


def _with_tool_errors(call: CallContext, query: Callable[[], ResultT]) -> ResultT:
    try:
        return query()
    except DomainError as problem:
        raise tool_error(call, "Completion failed", problem) from problem
