"""Rendering of the library's prompts with readable passages and pages, quoted as in search results."""

from collections.abc import Mapping
from typing import Final

from groundwire.dialects.library.resources import LibraryResources
from groundwire.dialects.library.uris import DocumentUri
from groundwire.dialects.shared.answer_size import largest_fitting
from groundwire.dialects.shared.quotations import cite_passage, format_passages
from groundwire.dialects.shared.tool_errors import tool_error
from groundwire.domain.documents.ids import is_doc_id
from groundwire.domain.errors import DomainError
from groundwire.domain.keys.grants import ALL_COLLECTIONS
from groundwire.domain.search.request import ALL_DOCUMENTS, SearchRequest
from groundwire.domain.text.token_estimate import estimate_tokens
from groundwire.services.call_context import CallContext
from groundwire.services.documents.links.source_links import CiteFunction
from groundwire.services.search import SearchFunction, SearchResult
from groundwire_mcp.definitions.content import EmbeddedResource, TextContent
from groundwire_mcp.definitions.prompts import PromptMessage
from groundwire_mcp.definitions.tools import ToolError, ToolErrorKind

COLLECTION_NOT_FOUND: Final = "There is no such collection, or this user may read nothing in it."
DOCUMENT_NOT_FOUND: Final = "There is no such document, or this user may not read it."

_ANSWER_TEMPLATE: Final = """Answer my question from the passages below. They were found in {where}.

Question: {question}

How to answer:
- Write only what a passage states, and put its number in brackets after each statement, like [1].
- Where passages disagree, state that and cite both.
- Where they do not answer the question, or only a part of it, state what is missing. Before you give up, search again \
with other words (`{tool}`). Never fill the gap with your own knowledge.
- End with the list of the sources that you cited: number, file name, page or heading, link.

{passages}"""
_EMPTY_TEMPLATE: Final = """Answer my question from documents. A search in {where} found no passage that answers it.

Question: {question}

Search again with other words (`{tool}`), and cite what you find by number and file. If that \
search finds no answer either, state that the documents do not answer the question. Never fill the gap with your own \
knowledge."""
_COMPARE_TEMPLATE: Final = """Compare the two documents that follow, on this topic: {topic}

How to compare:
- Start with one sentence on whether they agree.
- Then write a table with a row for each point of the topic. Its columns are the first document, the second document, \
and whether they agree, differ or contradict each other. Quote the decisive words, and name page or heading.
- State which points only one of them covers, and which document is newer, if they show it.
- Each document starts with the first page of its text, and names the next one. If these pages do not answer the \
topic, read on, or search with `{tool}`. Never fill a gap with your own knowledge.

The first is {first}, the second {second}."""


class LibraryPrompts:
    """Renderers of the library's prompts."""

    def __init__(self, resources: LibraryResources, search: SearchFunction, cite: CiteFunction) -> None:
        self._resources = resources
        self._search = search
        self._cite = cite

    def answer_with_citations(
        self, call: CallContext, arguments: Mapping[str, str], search_tool: str
    ) -> tuple[PromptMessage, ...]:
        """Return the question with the passages that may answer it.

        Raises:
            ToolError: the question is empty, the collection has nothing to read, or the search fails.
        """
        question, collection = _required_text(arguments, "question"), arguments.get("collection")
        result = self._search_passages(call, question, collection)
        if collection and not result.passages and not result.is_below_floor:
            # Below the floor there is something to read; no passage else means no readable document.
            raise ToolError(ToolErrorKind.ARGUMENTS, COLLECTION_NOT_FOUND)
        # A source of several passages opens at the best one, which stands first.
        urls = {
            each.document.doc_id: cite_passage(self._cite, each, call.caller).url for each in reversed(result.passages)
        }
        template = _ANSWER_TEMPLATE if result.passages else _EMPTY_TEMPLATE

        # The question is the user's, of any length; what the key bounds is what the search brings.
        shown, quotations = largest_fitting(
            len(result.passages),
            lambda count: (result.passages[:count], format_passages(result.passages[:count], urls)),
            lambda answer: estimate_tokens(answer[1]),
            call.caller.options.max_tokens,
        )
        call.audit_fields.update(result.audit_fields(shown))
        text = template.format(
            where=f"the collection {collection}" if collection else "the documents that I may read",
            question=question,
            tool=search_tool,
            passages=quotations,
        )
        # A prompt has no member for a notice, so that it stands before the text.
        return (PromptMessage("user", TextContent("\n\n".join(filter(None, (result.degradation, text))))),)

    def compare_sources(
        self, call: CallContext, arguments: Mapping[str, str], search_tool: str
    ) -> tuple[PromptMessage, ...]:
        """Return the task, then both documents, each in half of the tokens that the key allows.

        Raises:
            ToolError: an id is invalid, both are the same, or a document is missing or not readable.
        """
        topic = _required_text(arguments, "topic")
        first, second = arguments["first"], arguments["second"]
        # An invalid id could form the URI of another resource, such as a page of the same document.
        if not (is_doc_id(first) and is_doc_id(second)):
            raise ToolError(ToolErrorKind.ARGUMENTS, DOCUMENT_NOT_FOUND)
        uris = [str(DocumentUri(first)), str(DocumentUri(second))]
        if first == second:
            raise ToolError(ToolErrorKind.ARGUMENTS, "`first` and `second` must be two documents.")
        text = _COMPARE_TEMPLATE.format(topic=topic, tool=search_tool, first=uris[0], second=uris[1])
        return (PromptMessage("user", TextContent(text)), *self._document_messages(call, uris))

    def _search_passages(self, call: CallContext, question: str, collection: str | None) -> SearchResult:
        request = SearchRequest.for_caller(
            call.caller,
            [question],
            collections=frozenset({collection}) if collection else ALL_COLLECTIONS,
            documents=ALL_DOCUMENTS,
            where=None,
        )
        try:
            result = self._search(call.caller, request)
        except DomainError as error:
            raise tool_error(call, "Search failed", error) from error
        call.audit_fields.update(result.audit_fields(result.passages))
        return result

    def _document_messages(self, call: CallContext, uris: list[str]) -> list[PromptMessage]:
        messages: list[PromptMessage] = []
        audited_names: list[str] = []
        segments = 0
        for uri in uris:
            contents = self._resources.read(call, uri, call.caller.options.max_tokens // len(uris))
            if contents is None:
                # The caller gets neither document, so the audit record must name none.
                call.audit_fields.pop("documents", None)
                call.audit_fields.pop("segments", None)
                raise ToolError(ToolErrorKind.ARGUMENTS, DOCUMENT_NOT_FOUND)
            messages += [PromptMessage("user", EmbeddedResource(each)) for each in contents]
            audited_names += call.audit_fields.get("documents", ())
            segments += call.audit_fields.get("segments", 0)
        call.audit_fields.update(documents=audited_names, segments=segments)
        return messages


def _required_text(arguments: Mapping[str, str], name: str) -> str:
    text = arguments[name].strip()
    if not text:
        raise ToolError(ToolErrorKind.ARGUMENTS, f"`{name}` contains no text.")
    return text
