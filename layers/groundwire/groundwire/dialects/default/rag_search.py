"""The `rag_search` tool of the `default` dialect: compact text for a model, and the same passages as data."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from groundwire.dialects.default.search_arguments import SearchArguments, read_search_arguments
from groundwire.dialects.shared.answer_size import FRAME_TOKENS, json_tokens, quoted_sums
from groundwire.dialects.shared.quotations import (
    answer_content,
    cite_passage,
    format_passages,
    notice_member,
    other_files,
)
from groundwire.dialects.shared.rag_search import RagSearch
from groundwire.dialects.shared.tool_errors import tool_error
from groundwire.domain.access.policy import AccessReason, Principal, Readers, decide
from groundwire.domain.documents.ids import short_passage_id
from groundwire.domain.errors import DomainError
from groundwire.domain.limits import MAX_ANSWER_TOKENS
from groundwire.domain.search.quotations import FRAME_NOTE
from groundwire.domain.text.token_estimate import piece_sums, tokens_of
from groundwire.domain.text.token_sums import repeated_sums
from groundwire.services.call_context import CallContext
from groundwire.services.collections.unreadable_names import UnreadableNamesFunction
from groundwire.services.documents.links.source_links import CiteFunction
from groundwire.services.search import Passage, SearchFunction, SearchResult
from groundwire_mcp.definitions.tool_context import ToolContext
from groundwire_mcp.definitions.tools import ToolResult

VISIBLE_BECAUSE: Final = "groundwire/visible_because"
"""Name within `_meta` of the reasons by document, for the app."""
# An answer may be passed on with its conversation, so that no reason names a tag.
_REASONS: Final[Mapping[AccessReason, str]] = {
    AccessReason.PUBLIC: "everybody in the organisation may read it",
    AccessReason.NAMED_USER: "it names you as a reader",
    AccessReason.TAGS: "you have the tags that it requires",
}
_WITHIN_CEILING: Final = "you are among the readers to whom somebody limited it"
_FURTHER_NUMBER_TOKENS = 5
"""Tokens of a further passage's number in the list of its source."""


class _Source(NamedTuple):
    """Document of an answer: the numbers of its passages, and the other members.

    Attributes:
        code: of its short link; None where it has none.
    """

    numbers: list[int]
    members: Mapping[str, object]
    code: str | None

    def member(self) -> Mapping[str, object]:
        """Return the source as a member of the structured answer."""
        return {"passages": self.numbers, **self.members}

    def tokens(self) -> int:
        """Return the tokens of the member, whose link and names are the same in many answers."""
        numbers, members = json.dumps({"passages": self.numbers})[:-1], json.dumps(self.members, ensure_ascii=False)[1:]
        return tokens_of(piece_sums(f"{numbers},") + repeated_sums(members))


class _Answer(NamedTuple):
    """The passages that fit with their members, their sources by document, and the number of those that do not fit."""

    passages: Sequence[Passage]
    members: Sequence[Mapping[str, object]]
    sources: Mapping[str, _Source]
    more: int

    def without_last(self) -> "_Answer":
        """Return the answer with one passage fewer."""
        doc_id = self.passages[-1].document.doc_id
        source = self.sources[doc_id]
        rest = {name: each for name, each in self.sources.items() if name != doc_id or len(source.numbers) > 1}
        if doc_id in rest:
            rest[doc_id] = source._replace(numbers=source.numbers[:-1])
        return _Answer(self.passages[:-1], self.members[:-1], rest, self.more + 1)


class DefaultRagSearch:
    """Handler of `rag_search` for MCP clients; a call without any mark of MCP gets the answer of Mindset's page."""

    def __init__(
        self,
        search: SearchFunction,
        cite: CiteFunction,
        opening_note: str | None,
        unreadable_names: UnreadableNamesFunction,
    ) -> None:
        """Initialise; `opening_note` is a line about how to open a code, None: the text has no codes."""
        self._search = search
        self._cite = cite
        self._opening_note = opening_note
        self._unreadable_names = unreadable_names
        self._contract = RagSearch(search, cite)

    def __call__(self, call: CallContext, arguments: Mapping[str, object], context: ToolContext) -> ToolResult:
        """Return ranked passages for the phrases, as many as fit; an empty answer is a success."""
        if not context.has_mcp_marker:
            # Mindset AI reads the members of its page beside `content`, which this answer lacks.
            return self._contract(call, arguments, context)
        requested = read_search_arguments(call, arguments)
        context.report_progress(1, 2, "Searching")
        try:
            found = self._search(call.caller, requested.request)
            if not found.passages:
                found = replace(found, unreadable=self._unreadable_names(call.caller, requested.named))
        except DomainError as problem:
            raise tool_error(call, "RAG search failed", problem) from problem
        answer = self._cut(call, requested, found)
        context.report_progress(2, 2, f"Passages found: {len(found.passages)}")
        call.audit_fields["phrases"] = len(requested.request.phrases)
        call.audit_fields.update(found.audit_fields(answer.passages))
        result = _tool_result(found, answer, self._opening_note)
        return result._replace(fields=_app_fields(call, answer)) if context.shows_apps else result

    def _cut(self, call: CallContext, requested: SearchArguments, found: SearchResult) -> _Answer:
        """Return the best passages that have room in `max_tokens`, each whole; the first one at least."""
        members: list[Mapping[str, object]] = []
        sources: dict[str, _Source] = {}
        room = requested.max_tokens - FRAME_TOKENS
        for number, passage in enumerate(found.passages, start=1):
            doc_id = passage.document.doc_id
            member = _passage_member(number, passage)
            source = sources.get(doc_id)
            cost = json_tokens({**member, "text": ""}, (quoted_sums(passage),))
            if source is None:
                source = self._source(call, number, passage)
                cost += source.tokens()
            else:
                cost += _FURTHER_NUMBER_TOKENS
            if cost > room:
                break
            room -= cost
            members.append(member)
            if doc_id in sources:
                source.numbers.append(number)
            sources[doc_id] = source
        if found.passages and not members:
            return self._first_alone(call, found.passages)
        answer = _Answer(found.passages[: len(members)], members, sources, len(found.passages) - len(members))
        # With half of the room left the whole need not be measured.
        return answer if room > requested.max_tokens // 2 else _shrink(found, answer, requested.max_tokens)

    def _first_alone(self, call: CallContext, passages: Sequence[Passage]) -> _Answer:
        """Return the best passage without its neighbours: an answer is never empty because it is long."""
        first = replace(passages[0], context=())
        sources = {first.document.doc_id: self._source(call, 1, first)}
        return _Answer([first], [_passage_member(1, first)], sources, len(passages) - 1)

    def _source(self, call: CallContext, number: int, best: Passage) -> _Source:
        """Return the source of a passage, its best one; the link opens a PDF at that passage's page."""
        document, citation = best.document, cite_passage(self._cite, best, call.caller)
        # A title that is the name of the file again would cost a model tokens and tell it nothing.
        stem = document.source_file_name.rpartition(".")[0]
        title = {} if document.title in {"", stem, document.source_file_name} else {"title": document.title}
        members = {
            "document_id": document.doc_id,
            "file_name": document.source_file_name,
            **title,
            "collection": document.collection,
            "url": citation.url,
        }
        return _Source([number], members, citation.short_code)


def _shrink(found: SearchResult, answer: _Answer, max_tokens: int) -> _Answer:
    """Return the answer with the passages that fit as a whole, whose estimate may exceed the sum of its members'."""
    while len(answer.members) > 1 and FRAME_TOKENS + _structured_tokens(found, answer) > max_tokens:
        answer = answer.without_last()
    return answer


def _structured_tokens(found: SearchResult, answer: _Answer) -> int:
    """Return the tokens of the structured answer, which the same in text does not exceed."""
    structured = _structured(found, answer, [{**each, "text": ""} for each in answer.members])
    return json_tokens(structured, map(quoted_sums, answer.passages))


def _structured(found: SearchResult, answer: _Answer, members: Sequence[Mapping[str, object]]) -> Mapping[str, object]:
    return {
        "note": FRAME_NOTE,
        "passages": members,
        "sources": [each.member() for each in answer.sources.values()],
        **({"more": answer.more} if answer.more else {}),
        **notice_member(found),
    }


def _tool_result(found: SearchResult, answer: _Answer, opening_note: str | None) -> ToolResult:
    codes = {doc_id: None if opening_note is None else source.code for doc_id, source in answer.sources.items()}
    text = format_passages(answer.passages, codes, opening_note if any(codes.values()) else None)
    remarks = (_more_note(answer.more),) if answer.more else ()
    return ToolResult(answer_content(found, text, *remarks), _structured(found, answer, answer.members))


def _app_fields(call: CallContext, answer: _Answer) -> Mapping[str, object]:
    """Return the members of a result for its app: why the user can see each document, which no model needs to read."""
    documents = {each.document.doc_id: each.document.readers for each in answer.passages}
    found = {doc_id: _reason(call.caller.principal, readers) for doc_id, readers in documents.items()}
    return {"_meta": {VISIBLE_BECAUSE: {doc_id: reason for doc_id, reason in found.items() if reason is not None}}}


def _reason(principal: Principal, readers: Readers) -> str | None:
    """Return why a principal can see a document; None for a passage of a source, which its server decided about."""
    decision = decide(principal, readers)
    # The clause of the declared policy would name more readers than a ceiling leaves.
    return _WITHIN_CEILING if decision and readers.ceiling is not None else _REASONS.get(decision.reason)


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
        # More digits would cost a model tokens and tell it nothing.
        **({} if passage.relevance is None else {"relevance": round(passage.relevance, 2)}),
        **({"also_in": list(also_in)} if (also_in := other_files(passage)) else {}),
    }
