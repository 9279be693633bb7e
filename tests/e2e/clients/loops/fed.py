"""Parts of a tool's result that a model is fed, read from the request that a library sends to it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

_RESULTS: Final = {"function_call_output": "output", "tool_result": "content"}
"""Types of items that hold a result, each with the member that holds its content; Chat Completions has roles."""
_TEXTS: Final = frozenset({"text", "input_text", "output_text"})


@dataclass(frozen=True, slots=True)
class Fed:
    """All results of tools in one request.

    Attributes:
        text: what of them is text, as the model reads it.
        others: the types of all other parts.
    """

    text: str
    others: tuple[str, ...]


def fed_of(request: Mapping[str, Any]) -> Fed:
    """Return what the request of any of the three APIs holds; empty text when it holds no result."""
    texts, others = list[str](), list[str]()
    for content in _results(request):
        for part in [{"type": "text", "text": content}] if isinstance(content, str) else content:
            if part["type"] in _TEXTS:
                texts.append(part["text"])
            else:
                others.append(part["type"])
    return Fed("\n".join(texts), tuple(others))


def tools_of(request: Mapping[str, Any]) -> set[str]:
    """Return the names of the tools that the model may call."""
    return {str(tool.get("name") or tool["function"]["name"]) for tool in request.get("tools") or ()}


def _results(request: Mapping[str, Any]) -> Iterator[Any]:
    for message in request.get("messages") or request.get("input") or ():
        if message.get("role") == "tool":
            yield message["content"]
        content = message.get("content")
        for item in [message, *(content if isinstance(content, list) else ())]:
            member = _RESULTS.get(item.get("type", ""))
            if member:
                yield item[member]
