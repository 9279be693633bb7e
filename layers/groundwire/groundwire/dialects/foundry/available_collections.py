"""The `get_available_collections` tool."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime

from groundwire.dialects.openai.results import json_result
from groundwire.dialects.shared.answer_size import largest_fitting, result_tokens
from groundwire.dialects.shared.tool_errors import tool_error
from groundwire.domain.documents.collection import Collection
from groundwire.domain.errors import DomainError
from groundwire.domain.keys.caller import Caller
from groundwire.domain.limits import MAX_ANSWER_TOKENS
from groundwire.services.call_context import CallContext
from groundwire_mcp.definitions.tool_context import ToolContext
from groundwire_mcp.definitions.tools import ToolError, ToolErrorKind, ToolResult


class AvailableCollections:
    """Handler of `get_available_collections`: names the collections in which the user of the call can read something.

    Args:
        find: function such as `ReadableCollections.all`.
    """

    def __init__(self, find: Callable[[Caller], Sequence[Collection]]) -> None:
        self._find = find

    def __call__(self, call: CallContext, arguments: Mapping[str, object], _context: ToolContext) -> ToolResult:
        """Return the collections by name, as many as have room, and the number of all."""
        if arguments:
            unknown = min(arguments)
            raise ToolError(ToolErrorKind.ARGUMENTS, f"Unknown argument {unknown!r}: the tool has none.")
        try:
            found = self._find(call.caller)
        except DomainError as problem:
            raise tool_error(call, "Listing collections failed", problem) from problem
        call.audit_fields["collections"] = len(found)
        return largest_fitting(len(found), lambda shown: _answer(found, shown), result_tokens, MAX_ANSWER_TOKENS)


def _answer(found: Sequence[Collection], shown: int) -> ToolResult:
    collections = [
        {
            "name": each.name,
            "description": each.description,
            "status": "active",
            "created_at": None if each.created_at is None else _iso_time(each.created_at),
        }
        for each in found[:shown]
    ]
    return json_result({"collections": collections, "total_count": len(found)})


def _iso_time(seconds: float) -> str:
    # The reference shows microseconds and `+00:00`.
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="microseconds")
