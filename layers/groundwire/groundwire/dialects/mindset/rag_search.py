"""The `rag_search` tool."""

from collections.abc import Mapping
from typing import cast

from groundwire.dialects.faults import fault, only
from groundwire.dialects.mindset.contract import is_mindset
from groundwire.dialects.notices import notice_first, noticed
from groundwire.dialects.quoting import framed_passages
from groundwire.domain.errors import Problem
from groundwire.domain.limits import MAX_PHRASES
from groundwire.protocol.content import Text
from groundwire.protocol.tools import FaultKind, ToolFault, ToolResult
from groundwire.protocol.turn import Turn
from groundwire.services.call import Call
from groundwire.services.links import LinkTo
from groundwire.services.search import Found, Passage, SearchCall


class RagSearch:
    """Phrases in, ranked and cited passages out."""

    def __init__(self, search: SearchCall, link_to: LinkTo) -> None:
        self._search = search
        self._link_to = link_to

    def __call__(self, call: Call, arguments: Mapping[str, object], turn: Turn) -> ToolResult:
        """Ranked passages for the phrases; none is a success with an empty list."""
        phrases = _phrases(only(arguments, "search_phrases", ignore_others=is_mindset(call)))
        caller = call.caller
        turn.progress(1, 2, "Searching")
        try:
            found = self._search(caller, phrases, caller.top_n)
        except Problem as problem:
            raise fault(call, "RAG search failed", problem) from problem
        passages = found.passages
        turn.progress(2, 2, f"Passages found: {len(passages)}")
        call.facts["phrases"] = len(phrases)
        call.facts.update(found.facts(passages))
        urls = {p.document.doc_id: self._link_to(p.document, caller) for p in passages}
        return _search_result(found, urls)


def _phrases(value: object) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in cast("list[object]", value)):
        raise ToolFault(FaultKind.ARGUMENTS, "search_phrases must be an array of strings.")
    phrases = cast("list[str]", value)
    if not 1 <= len(phrases) <= MAX_PHRASES:
        raise ToolFault(FaultKind.ARGUMENTS, f"search_phrases must hold 1 to {MAX_PHRASES} phrases.")
    kept = [phrase for phrase in phrases if phrase.strip()]
    if not kept:
        raise ToolFault(FaultKind.ARGUMENTS, "search_phrases holds no text: give the user's own words.")
    return kept


def _search_result(found: Found, urls: Mapping[str, str]) -> ToolResult:
    """The notice is for MCP's members alone: what stands beside them has the contract's fields and no other."""
    passages = found.passages
    segments = [_segment(passage, urls[passage.document.doc_id]) for passage in passages]
    described = [segment | _provenance(passage) for segment, passage in zip(segments, passages, strict=True)]
    structured = {"status": "success", "segments": described, **noticed(found)}
    content = (*notice_first(found), Text(framed_passages(passages, urls)))
    return ToolResult(content, structured, {"status": "success", "segments": segments})


def _segment(passage: Passage, url: str) -> dict[str, object]:
    """The seven fields of the contract."""
    segment, document = passage.segment, passage.document
    return {
        "segment_uid": segment.uid,
        "source_file_name": document.source_file_name,
        "source_file_type": document.source_file_type,
        "headline": segment.headline,
        "segment_summary": segment.summary,
        "raw_text": passage.text,
        "source_url": url,
    }


def _provenance(passage: Passage) -> dict[str, object]:
    page_first, page_last = passage.pages
    return {
        "heading_path": list(passage.segment.heading_path),
        "page_first": page_first,
        "page_last": page_last,
        "also_in": [other.document.source_file_name for other in passage.also_in],
        "trust": "document",
    }
