"""The `rag_search` tool of the `default` dialect: compact text for a model, and the same passages as data."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from groundwire.dialects.default.search_arguments import SearchArguments, read_search_arguments
from groundwire.dialects.mindset.rag_search import RagSearch
from groundwire.dialects.notices import notice_content, notice_member
from groundwire.dialects.quotations import format_passages
from groundwire.dialects.tool_errors import tool_error
from groundwire.domain.documents.ids import short_passage_id
from groundwire.domain.errors import DomainError
from groundwire.domain.limits import MAX_ANSWER_TOKENS
from groundwire.domain.search.quotations import FRAME_NOTE
from groundwire.domain.text.token_estimate import estimate_tokens
from groundwire.protocol.definitions.content import TextContent
from groundwire.protocol.definitions.tool_context import ToolContext
from groundwire.protocol.definitions.tools import ToolResult
from groundwire.services.call_context import CallContext
from groundwire.services.documents.source_links import LinkFunction
from groundwire.services.search import Passage, SearchFunction, SearchResult

_FRAME_TOKENS = 80
"""Tokens around the passages and their sources, of the text and of the structured answer."""


class _Answer(NamedTuple):
    """The passages that fit, their links by document, and the number of those that do not fit."""

    passages: Sequence[Passage]
    urls: Mapping[str, str]
    more: int


class DefaultRagSearch:
    """Handler of `rag_search` for MCP clients; a call without any mark of MCP gets the answer of Mindset's page."""

    def __init__(self, search: SearchFunction, link_to: LinkFunction) -> None:
        self._search = search
        self._link_to = link_to
        self._contract = RagSearch(search, link_to)

    def __call__(self, call: CallContext, arguments: Mapping[str, object], context: ToolContext) -> ToolResult:
        """Return ranked passages for the phrases, as many as fit; an empty answer is a success."""
        if not context.has_mcp_marker:
            return self._contract(call, arguments, context)
        requested = read_search_arguments(call.caller, arguments)
        context.report_progress(1, 2, "Searching")
        try:
            found = self._search(call.caller, requested.request)
        except DomainError as problem:
            raise tool_error(call, "RAG search failed", problem) from problem
        answer = self._cut(call, requested, found)
        context.report_progress(2, 2, f"Passages found: {len(found.passages)}")
        call.audit_fields["phrases"] = len(requested.request.phrases)
        call.audit_fields.update(found.audit_fields(answer.passages))
        return _tool_result(found, answer)

    def _cut(self, call: CallContext, requested: SearchArguments, found: SearchResult) -> _Answer:
        """Return the best passages that have room in `max_tokens`, each whole; the first one at least."""
        urls: dict[str, str] = {}
        shown: list[Passage] = []
        room = requested.max_tokens - _FRAME_TOKENS
        for number, passage in enumerate(found.passages, start=1):
            doc_id = passage.document.doc_id
            url = urls.get(doc_id) or self._link_to(passage.document, call.caller)
            cost = _cost(_passage_member(number, passage))
            cost += 0 if doc_id in urls else _cost(_source_member([number], passage, url))
            if cost > room:
                break
            room -= cost
            urls[doc_id] = url
            shown.append(passage)
        if found.passages and not shown:
            return self._first_alone(call, found.passages)
        return _Answer(shown, urls, len(found.passages) - len(shown))

    def _first_alone(self, call: CallContext, passages: Sequence[Passage]) -> _Answer:
        """Return the best passage without its neighbours: an answer is never empty because it is long."""
        first = replace(passages[0], context=())
        url = self._link_to(first.document, call.caller)
        return _Answer([first], {first.document.doc_id: url}, len(passages) - 1)


def _cost(member: Mapping[str, object]) -> int:
    """Return the tokens of a member of the structured answer, which the same in text does not exceed."""
    return estimate_tokens(json.dumps(member, ensure_ascii=False))


def _tool_result(found: SearchResult, answer: _Answer) -> ToolResult:
    members = {
        "note": FRAME_NOTE,
        "passages": [_passage_member(number, each) for number, each in enumerate(answer.passages, start=1)],
        "sources": _source_members(answer),
        **({"more": answer.more} if answer.more else {}),
        **notice_member(found),
    }
    text = format_passages(answer.passages, dict.fromkeys(answer.urls))
    more = () if not answer.more else (TextContent(_more_note(answer.more)),)
    return ToolResult((*notice_content(found), TextContent(text), *more), members)


def _more_note(more: int) -> str:
    passages = "1 more passage was" if more == 1 else f"{more} more passages were"
    return f"{passages} found: call again with a larger max_tokens, {MAX_ANSWER_TOKENS} at most."


def _passage_member(number: int, passage: Passage) -> dict[str, object]:
    first, last = passage.pages
    return {
        "number": number,
        "id": short_passage_id(passage.segment.uid),
        "text": passage.text,
        "headings": list(passage.segment.heading_path),
        "pages": [] if first is None else [first, first if last is None else last],
        **({} if passage.relevance is None else {"relevance": round(passage.relevance, 2)}),
    }


def _source_members(answer: _Answer) -> list[dict[str, object]]:
    numbers: dict[str, list[int]] = {}
    passages: dict[str, Passage] = {}
    for number, passage in enumerate(answer.passages, start=1):
        numbers.setdefault(passage.document.doc_id, []).append(number)
        passages.setdefault(passage.document.doc_id, passage)
    return [_source_member(numbers[each], passages[each], answer.urls[each]) for each in numbers]


def _source_member(numbers: Sequence[int], passage: Passage, url: str) -> dict[str, object]:
    document = passage.document
    return {
        "passages": list(numbers),
        "document_id": document.doc_id,
        "file_name": document.source_file_name,
        "url": url,
    }
