"""Completion of collection names, document ids and page numbers that the current user may know."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from groundwire.dialects.shared.quotations import audit_name
from groundwire.dialects.shared.tool_errors import tool_error
from groundwire.domain.errors import DomainError
from groundwire.services.call_context import CallContext
from groundwire.services.documents.browse import DocumentCatalog, DocumentReader, count_pages
from groundwire_mcp.definitions.completions import CompletionResult

ResultT = TypeVar("ResultT")


class LibraryCompletions:
    """Completers of arguments from the typed prefix and the other known arguments.

    The total number is unknown, since the search reads a limited number of records.
    """

    def __init__(self, catalog: DocumentCatalog, reader: DocumentReader) -> None:
        self._catalog = catalog
        self._reader = reader

    def collections(self, call: CallContext, prefix: str, _other_arguments: Mapping[str, str]) -> CompletionResult:
        """Return names of collections with a readable document."""
        matches = _with_tool_errors(call, lambda: self._catalog.find_collections(call.caller, prefix))
        return CompletionResult(matches.names, None, matches.has_more)

    def documents(self, call: CallContext, prefix: str, other_arguments: Mapping[str, str]) -> CompletionResult:
        """Return ids of documents, of one collection if that argument is known."""
        matches = _with_tool_errors(
            call, lambda: self._catalog.find_documents(call.caller, prefix, other_arguments.get("collection"))
        )
        call.audit_fields["documents"] = [audit_name(document) for document in matches.documents]
        return CompletionResult(tuple(document.doc_id for document in matches.documents), None, matches.has_more)

    def pages(self, call: CallContext, prefix: str, other_arguments: Mapping[str, str]) -> CompletionResult:
        """Return page numbers of the document whose id is known."""
        document = _with_tool_errors(
            call, lambda: self._reader.document(call.caller, other_arguments.get("doc_id", ""))
        )
        if document is None:
            # A document that the user may not read has no pages, as one that does not exist.
            return CompletionResult((), total=0)
        call.audit_fields["documents"] = [audit_name(document)]
        numbers = map(str, range(1, count_pages(document) + 1))
        matches = tuple(number for number in numbers if number.startswith(prefix))
        return CompletionResult(matches, total=len(matches))


def _with_tool_errors(call: CallContext, query: Callable[[], ResultT]) -> ResultT:
    try:
        return query()
    except DomainError as error:
        raise tool_error(call, "Completion failed", error) from error
