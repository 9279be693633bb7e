"""Mindset AI's RAG server: `rag_search` and `verify_document_access` on `POST /mcp`, by the contract of its page."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from groundwire.dialects.declaration.dialect import Dialect
from groundwire.dialects.library import library_of
from groundwire.dialects.shared.contract import MINDSET_TOOLSET
from groundwire.dialects.shared.contract_tools import RAG_SEARCH, VERIFY_DOCUMENT_ACCESS

if TYPE_CHECKING:
    from groundwire.dialects.declaration.replay import Replay, ReplayedQuestion


def _replay() -> "Replay":
    from groundwire.dialects.declaration.replay import Replay

    return Replay("rag_search", _arguments, _passages)


def _arguments(question: "ReplayedQuestion") -> Mapping[str, object]:
    return {"search_phrases": [question.text]}


def _passages(answer: Mapping[str, Any]) -> list[str]:
    return [segment["segment_uid"] for segment in answer["segments"]]


MINDSET: Final = Dialect(
    name="mindset",
    tools=(RAG_SEARCH, VERIFY_DOCUMENT_ACCESS),
    toolset=MINDSET_TOOLSET,
    library=library_of(search_tool="rag_search"),
    is_on_by_default=True,
    replay=_replay,
)
