"""The library: what a caller may read, as MCP's resources, and prompts that begin with it.

Described here, carried out by what is given late: a server that only introduces itself opens neither registry nor
index.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from groundwire.protocol.completion import Complete, Completed
from groundwire.protocol.content import ResourceContents
from groundwire.protocol.prompts import Prompt, PromptArgument, PromptMessage
from groundwire.protocol.resources import ResourcePage, ResourceTemplate
from groundwire.protocol.turn import Turn
from groundwire.services.call import Call

if TYPE_CHECKING:
    from groundwire.dialects.library.completions import Completions
    from groundwire.dialects.library.work import LibraryWork

_TEXT: Final = "text/plain"
Late = Callable[[], "LibraryWork"]


class LateLibrary:
    """Implements `protocol.resources.ResourceSource`."""

    def __init__(self, work: Late) -> None:
        self._work = work

    def page(self, caller: Call, start: str | None) -> ResourcePage:
        """As `library.source.Library` lists."""
        return self._work().source.page(caller, start)

    def read(self, caller: Call, uri: str) -> Sequence[ResourceContents] | None:
        """As `library.source.Library` reads."""
        return self._work().source.read(caller, uri)


def library_templates(work: Late) -> list[ResourceTemplate[Call]]:
    """The families of resources, in the order in which they are listed."""
    return [
        ResourceTemplate(
            "groundwire://collections/{collection}",
            "collection",
            "A collection's documents",
            "The documents of a collection that the current user may read, with their URIs.",
            _TEXT,
            {"collection": _completing(work, lambda by: by.collections)},
        ),
        ResourceTemplate(
            "groundwire://documents/{doc_id}",
            "document",
            "A document's text",
            "The first page of a document's text; it names the next one.",
            _TEXT,
            {"doc_id": _completing(work, lambda by: by.documents)},
        ),
        ResourceTemplate(
            "groundwire://documents/{doc_id}/pages/{page}",
            "document_page",
            "A page of a document's text",
            "One page of a document's text, from 1. Each has about 6,000 tokens, whatever pages the file has.",
            _TEXT,
            {
                "doc_id": _completing(work, lambda by: by.documents),
                "page": _completing(work, lambda by: by.pages),
            },
        ),
        ResourceTemplate(
            "groundwire://segments/{segment_uid}",
            "passage",
            "A passage in its context",
            "A passage that a search returned, with the text right before and after it.",
            _TEXT,
        ),
    ]


def library_prompts(work: Late) -> list[Prompt[Call]]:
    """In the order in which they are listed."""

    def answer_with_citations(call: Call, arguments: Mapping[str, str], _turn: Turn) -> tuple[PromptMessage, ...]:
        return work().prompts.answer_with_citations(call, arguments)

    def compare_sources(call: Call, arguments: Mapping[str, str], _turn: Turn) -> tuple[PromptMessage, ...]:
        return work().prompts.compare_sources(call, arguments)

    documents = _completing(work, lambda by: by.documents)
    return [
        Prompt(
            "answer_with_citations",
            "Answer with citations",
            "Searches the documents that the current user may read, and asks for an answer in which every statement "
            "cites a passage.",
            (
                PromptArgument("question", "What to answer, in the user's own words.", required=True),
                PromptArgument(
                    "collection",
                    "Search this collection only.",
                    required=False,
                    complete=_completing(work, lambda by: by.collections),
                ),
            ),
            answer_with_citations,
        ),
        Prompt(
            "compare_sources",
            "Compare two sources",
            "Lays two documents side by side, and asks where they agree, differ and contradict each other on a topic.",
            (
                PromptArgument("topic", "What to compare them on.", required=True),
                PromptArgument("first", "Id of the one document.", required=True, complete=documents),
                PromptArgument("second", "Id of the other document.", required=True, complete=documents),
            ),
            compare_sources,
        ),
    ]


def _completing(work: Late, which: "Callable[[Completions], Complete[Call]]") -> Complete[Call]:
    def complete(call: Call, typed: str, known: Mapping[str, str]) -> Completed:
        return which(work().completions)(call, typed, known)

    return complete
