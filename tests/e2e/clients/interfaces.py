"""Interfaces on the paths of the server: a tool, what it refuses, and whether there is a library."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

QUESTION: Final = "How low can we go on the price of a Sandpiper?"


@dataclass(frozen=True, slots=True, eq=False)
class Interface:
    """Interface of one dialect.

    Attributes:
        tool: the one that is called with `arguments`.
        impossible: arguments that it refuses with the text `refusal`.
        errors_are_results: a refusal is a result with `isError`, not a JSON-RPC error.
        has_library: there are resources and prompts.
        pictures: a call whose answer has one picture after its text; None: no tool returns any.
    """

    path: str
    tool: str
    arguments: Mapping[str, Any]
    impossible: Mapping[str, Any]
    refusal: str
    errors_are_results: bool
    has_library: bool
    pictures: tuple[str, Mapping[str, Any]] | None = None


DEFAULT: Final = Interface(
    "/mcp",
    "rag_search",
    {"search_phrases": [QUESTION]},
    {"search_phrases": []},
    "search_phrases must have 1 to 5 phrases",
    errors_are_results=True,
    has_library=True,
)
FOUNDRY: Final = Interface(
    "/edgeai/mcp",
    "search_hybrid",
    {"query": QUESTION, "strictness": 0},
    {"query": ""},
    "query must be a text",
    errors_are_results=False,
    has_library=False,
    pictures=("search_image", {"query": "loading bay of the warehouse", "strictness": 0, "include_images": True}),
)
