"""The `rag_search` tool."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from groundwire.dialects.shared.answer_size import (
    FRAME_TOKENS,
    answer_tokens,
    json_tokens,
    largest_fitting,
    quoted_sums,
)
from groundwire.dialects.shared.contract import is_contract_call
from groundwire.dialects.shared.quotations import answer_content, cite_passage, format_passages, notice_member
from groundwire.dialects.shared.tool_errors import read_share, single_argument, tool_error
from groundwire.domain.errors import DomainError
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import ALL_COLLECTIONS
from groundwire.domain.limits import MAX_PHRASES
from groundwire.domain.search.request import ALL_DOCUMENTS, SearchRequest
from groundwire.domain.text.json_values import is_text_list
from groundwire.domain.text.token_sums import repeated_sums
from groundwire.services.call_context import CallContext
from groundwire.services.documents.links.source_links import Citation, CiteFunction
from groundwire.services.search import Passage, SearchFunction, SearchResult
from groundwire_mcp.definitions.tool_context import ToolContext
from groundwire_mcp.definitions.tools import ToolError, ToolErrorKind, ToolResult

_CitePassage = Callable[[Passage], Citation]


class _ContractAnswer(NamedTuple):
    """The passages that fit, and the result with them."""

    passages: Sequence[Passage]
    result: ToolResult


class RagSearch:
    """Handler of `rag_search`: returns ranked, cited passages."""

    def __init__(self, search: SearchFunction, cite: CiteFunction) -> None:
        self._search = search
        self._cite = cite

    def __call__(self, call: CallContext, arguments: Mapping[str, object], context: ToolContext) -> ToolResult:
        """Return ranked passages for the phrases; without a passage the result is a success with an empty list."""
        # An argument that Mindset's page adds later must not stop a search.
        ignore_unknown = is_contract_call(call, context)
        phrases = parse_phrases(single_argument(arguments, "search_phrases", ignore_unknown=ignore_unknown))
        # The page does not name this argument; one that narrows an answer is never ignored.
        min_relevance = read_share("min_relevance", arguments.get("min_relevance"))
        caller = call.caller
        context.report_progress(1, 2, "Searching")
        try:
            found = self._search(caller, _search_request(caller, phrases, min_relevance))
        except DomainError as problem:
            raise tool_error(call, "RAG search failed", problem) from problem
        context.report_progress(2, 2, f"Passages found: {len(found.passages)}")
        answer = _fitting_answer(found, lambda each: cite_passage(self._cite, each, caller), answer_tokens(caller))
        call.audit_fields["phrases"] = len(phrases)
        call.audit_fields.update(found.audit_fields(answer.passages))
        return answer.result


def _search_request(caller: Caller, phrases: list[str], min_relevance: float | None) -> SearchRequest:
    request = SearchRequest.for_caller(
        caller, phrases, collections=ALL_COLLECTIONS, documents=ALL_DOCUMENTS, where=None
    )
    return replace(request, min_relevance=min_relevance)


def parse_phrases(value: object) -> list[str]:
    """Return the phrases that hold text.

    Raises:
        ToolError: the value is no array of 1 to 5 texts, or none of them holds text.
    """
    if not is_text_list(value):
        raise ToolError(ToolErrorKind.ARGUMENTS, "search_phrases must be an array of strings.")
    if not 1 <= len(value) <= MAX_PHRASES:
        raise ToolError(ToolErrorKind.ARGUMENTS, f"search_phrases must have 1 to {MAX_PHRASES} phrases.")
    kept = [phrase for phrase in value if phrase.strip()]
    if not kept:
        raise ToolError(ToolErrorKind.ARGUMENTS, "search_phrases contains no text: give the user's own words.")
    return kept


def _fitting_answer(found: SearchResult, cite: _CitePassage, max_tokens: int) -> _ContractAnswer:
    """Return the best passages that have room, each whole; at least the first one, alone if need be."""
    answer = _Segments(found, found.passages, cite)
    shown = largest_fitting(len(found.passages), int, answer.tokens, max_tokens)
    # An answer is never empty because it is long: the neighbours give way first.
    if shown == 1 and found.passages and answer.tokens(1) > max_tokens:
        answer = _Segments(found, [replace(found.passages[0], context=())], cite)
    return answer.first(shown)


class _Segments:
    """Passages of a result as segments of the contract, each made once."""

    def __init__(self, found: SearchResult, passages: Sequence[Passage], cite: _CitePassage) -> None:
        self._found = found
        self._passages = passages
        citations = [cite(each) for each in passages]
        # In text, the source of several passages opens at the best one.
        self._urls = {each.document.doc_id: each.url for each in reversed(citations)}
        self._segments = [
            _contract_segment(passage, citation) for passage, citation in zip(passages, citations, strict=True)
        ]
        self._described = [
            segment | _provenance_fields(passage) for segment, passage in zip(self._segments, passages, strict=True)
        ]

    def tokens(self, shown: int) -> int:
        """Return the tokens of the answer with this many passages at most: of its structured form with a frame.

        The text has the same passages with less beside them, so it is not measured.
        """
        bare = [{**each, "raw_text": "", "source_url": ""} for each in self._described[:shown]]
        texts = map(quoted_sums, self._passages[:shown])
        # A link is the same in many answers.
        links = (
            repeated_sums(f"{json.dumps(each['source_url'], ensure_ascii=False)},") for each in self._segments[:shown]
        )
        return FRAME_TOKENS + json_tokens(self._structured(bare), chain(texts, links))

    def first(self, shown: int) -> _ContractAnswer:
        """Return the answer; the notice is in MCP's members only, as the contract names every other field."""
        passages, segments = self._passages[:shown], self._segments[:shown]
        more = len(self._found.passages) - len(passages)
        remarks = (f"The answer has no room for more passages: {more}.",) if more else ()
        content = answer_content(self._found, format_passages(passages, self._urls), *remarks)
        structured = self._structured(self._described[:shown])
        return _ContractAnswer(passages, ToolResult(content, structured, {"status": "success", "segments": segments}))

    def _structured(self, described: Sequence[Mapping[str, object]]) -> Mapping[str, object]:
        return {"status": "success", "segments": described, **notice_member(self._found)}


def _contract_segment(passage: Passage, citation: Citation) -> dict[str, object]:
    """The seven fields of the contract."""
    segment, document = passage.segment, passage.document
    return {
        "segment_uid": segment.uid,
        "source_file_name": document.source_file_name,
        "source_file_type": document.source_file_type,
        "headline": segment.headline,
        "segment_summary": segment.summary,
        "raw_text": passage.text,
        "source_url": citation.url,
    }


def _provenance_fields(passage: Passage) -> dict[str, object]:
    page_first, page_last = passage.pages
    return {
        "heading_path": list(passage.segment.heading_path),
        "page_first": page_first,
        "page_last": page_last,
        "also_in": [other.document.source_file_name for other in passage.also_in],
        # It tells programs that the text is quoted and no instruction.
        "trust": "document",
    }
