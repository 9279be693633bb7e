"""Library: readable documents as MCP resources, prompts that start with their passages, an app and a skill.

The definitions are here; the handlers are loaded on first use, so that MCP discovery opens neither registry nor index.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Final

from groundwire.dialects.declaration.dialect import DialectLibrary, LibraryParts
from groundwire.dialects.declaration.services import DialectServices
from groundwire.domain.access.scopes import Scope

if TYPE_CHECKING:
    from groundwire.dialects.library.completions import LibraryCompletions
    from groundwire.dialects.library.handlers import LibraryHandlers
    from groundwire.services.call_context import CallContext
    from groundwire_mcp.definitions.apps import App
    from groundwire_mcp.definitions.completions import Completer, CompletionResult
    from groundwire_mcp.definitions.content import ResourceContents
    from groundwire_mcp.definitions.prompts import Prompt, PromptMessage
    from groundwire_mcp.definitions.resources import ResourcePage, ResourceTemplate
    from groundwire_mcp.definitions.skills import Skill
    from groundwire_mcp.definitions.tool_context import ToolContext

_MIME_TYPE: Final = "text/plain"
LoadHandlers = Callable[[], "LibraryHandlers"]


def library_of(search_tool: str, *, app_uri: str | None = None, has_skills: bool = False) -> DialectLibrary:
    """Return the library of a dialect.

    Args:
        search_tool: the tool that its prompts name.
        app_uri: of the app that shows the tool's results; None: there is none.
        has_skills: whether it has the skill of the tool.
    """

    def build(services: DialectServices) -> LibraryParts:
        def make() -> "LibraryHandlers":
            from groundwire.dialects.library.handlers import build_library

            return build_library(
                services.reading.document_catalog,
                services.reading.document_reader,
                lambda caller, request, /: services.reading.joined_search(caller, request),
                services.reading.source_links.cite,
            )

        load = cache(make)
        return LibraryParts(
            library_prompts(load, search_tool),
            LazyLibraryResources(load),
            library_templates(load),
            apps=None if app_uri is None else partial(_load_apps, app_uri),
            skills=partial(_load_skills, search_tool) if has_skills else None,
        )

    scopes = {"resources/read": Scope.SEARCH, "prompts/get": Scope.SEARCH}
    return DialectLibrary(("answer_with_citations", "compare_sources"), scopes, build)


def _load_apps(uri: str) -> "Sequence[App]":
    from groundwire.dialects.library.app import library_apps

    return library_apps(uri)


def _load_skills(search_tool: str) -> "Sequence[Skill]":
    from groundwire.dialects.library.skill import library_skills

    return library_skills(search_tool)


class LazyLibraryResources:
    """A `groundwire_mcp.definitions.resources.ResourceSource` that loads the library on first use."""

    def __init__(self, load: LoadHandlers) -> None:
        self._load = load

    def page(self, caller: "CallContext", start: str | None) -> "ResourcePage":
        """Return a page of resources; see `LibraryResources.page`."""
        return self._load().resources.page(caller, start)

    def read(self, caller: "CallContext", uri: str) -> "Sequence[ResourceContents] | None":
        """Return the resource's text; see `LibraryResources.read`."""
        return self._load().resources.read(caller, uri)


def library_templates(load: LoadHandlers) -> "list[ResourceTemplate[CallContext]]":
    """Return the resource templates in list order."""
    from groundwire_mcp.definitions.resources import ResourceTemplate

    return [
        ResourceTemplate(
            "groundwire://collections/{collection}",
            "collection",
            "A collection's documents",
            "The documents of a collection that the current user may read, with their URIs.",
            _MIME_TYPE,
            {"collection": _lazy_completer(load, lambda completions: completions.collections)},
        ),
        ResourceTemplate(
            "groundwire://documents/{doc_id}",
            "document",
            "A document's text",
            "The first page of a document's text, with the address of the next one.",
            _MIME_TYPE,
            {"doc_id": _lazy_completer(load, lambda completions: completions.documents)},
        ),
        ResourceTemplate(
            "groundwire://documents/{doc_id}/pages/{page}",
            "document_page",
            "A page of a document's text",
            "One page of a document's text, from 1. Each has about 6,000 tokens, independent of the pages of the file.",
            _MIME_TYPE,
            {
                "doc_id": _lazy_completer(load, lambda completions: completions.documents),
                "page": _lazy_completer(load, lambda completions: completions.pages),
            },
        ),
        ResourceTemplate(
            "groundwire://segments/{segment_uid}",
            "passage",
            "A passage in its context",
            "A passage that a search returned, with the text right before and after it.",
            _MIME_TYPE,
        ),
    ]


def library_prompts(load: LoadHandlers, search_tool: str) -> "list[Prompt[CallContext]]":
    """Return the prompts in list order; each names the search tool of its dialect."""
    from groundwire_mcp.definitions.prompts import Prompt, PromptArgument

    def answer_with_citations(
        call: "CallContext", arguments: Mapping[str, str], _context: "ToolContext"
    ) -> "tuple[PromptMessage, ...]":
        return load().prompts.answer_with_citations(call, arguments, search_tool)

    def compare_sources(
        call: "CallContext", arguments: Mapping[str, str], _context: "ToolContext"
    ) -> "tuple[PromptMessage, ...]":
        return load().prompts.compare_sources(call, arguments, search_tool)

    documents = _lazy_completer(load, lambda completions: completions.documents)
    return [
        Prompt(
            "answer_with_citations",
            "Answer with citations",
            "Searches the documents that the current user may read, and requests an answer in which "
            "every statement cites a passage.",
            (
                PromptArgument("question", "The question, in the user's own words.", required=True),
                PromptArgument(
                    "collection",
                    "Search this collection only.",
                    required=False,
                    complete=_lazy_completer(load, lambda completions: completions.collections),
                ),
            ),
            answer_with_citations,
        ),
        Prompt(
            "compare_sources",
            "Compare two sources",
            "Puts two documents side by side, and asks where they agree, differ and contradict each other on a topic.",
            (
                PromptArgument("topic", "Topic of the comparison.", required=True),
                PromptArgument("first", "Id of the first document.", required=True, complete=documents),
                PromptArgument("second", "Id of the second document.", required=True, complete=documents),
            ),
            compare_sources,
        ),
    ]


def _lazy_completer(
    load: LoadHandlers, select: "Callable[[LibraryCompletions], Completer[CallContext]]"
) -> "Completer[CallContext]":
    def complete(call: "CallContext", typed: str, known: Mapping[str, str]) -> "CompletionResult":
        return select(load().completions)(call, typed, known)

    return complete
