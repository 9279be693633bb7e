"""The `search` tool."""

from collections.abc import Mapping, Sequence

from groundwire.dialects.faults import fault, only
from groundwire.dialects.notices import noticed
from groundwire.dialects.openai.answers import answer, title_of
from groundwire.domain.errors import Problem
from groundwire.protocol.tools import FaultKind, ToolFault, ToolResult
from groundwire.protocol.turn import Turn
from groundwire.services.browse import page_with
from groundwire.services.call import Call
from groundwire.services.links import LinkTo
from groundwire.services.search import Passage, SearchCall


class SearchTool:
    """A query in, places to fetch out."""

    def __init__(self, search: SearchCall, link_to: LinkTo) -> None:
        self._search = search
        self._link_to = link_to

    def __call__(self, call: Call, arguments: Mapping[str, object], turn: Turn) -> ToolResult:
        """The best places, each on another page of text, so that no two of them fetch the same."""
        query = _query(only(arguments, "query"))
        turn.progress(1, 2, "Searching")
        try:
            found = self._search(call.caller, [query], call.caller.top_n)
        except Problem as problem:
            raise fault(call, "Search failed", problem) from problem
        places = _places(found.passages)
        call.facts.update(found.facts(places))
        turn.progress(2, 2, f"Places found: {len(places)}")
        return answer({"results": [self._result(call, passage) for passage in places], **noticed(found)})

    def _result(self, call: Call, passage: Passage) -> dict[str, object]:
        url = self._link_to(passage.document, call.caller)
        title, headline = title_of(passage.document), passage.segment.headline
        named = headline if f"{headline}: ".startswith(f"{title}: ") else f"{title}: {headline}"
        return {"id": passage.segment.uid, "title": named, "url": url}


def _query(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ToolFault(FaultKind.ARGUMENTS, "query must be a text that says what to look for.")
    return value


def _places(passages: Sequence[Passage]) -> list[Passage]:
    """The first passage of each page, best first."""
    first: dict[tuple[str, int], Passage] = {}
    for passage in passages:
        first.setdefault((passage.document.doc_id, page_with(passage.segment)), passage)
    return list(first.values())
