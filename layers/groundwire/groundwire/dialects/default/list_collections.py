"""The `list_collections` tool."""

from collections.abc import Callable, Mapping, Sequence

from groundwire.dialects.shared.answer_size import largest_fitting, result_tokens
from groundwire.dialects.shared.tool_errors import tool_error
from groundwire.domain.documents.collection import Collection
from groundwire.domain.errors import DomainError
from groundwire.domain.keys.caller import Caller
from groundwire.services.call_context import CallContext
from groundwire_mcp.definitions.content import TextContent
from groundwire_mcp.definitions.tool_context import ToolContext
from groundwire_mcp.definitions.tools import ToolError, ToolErrorKind, ToolResult


class ListCollections:
    """Handler of `list_collections`: names the collections in which the user of the call can read something."""

    def __init__(self, find: Callable[[Caller], Sequence[Collection]]) -> None:
        """Take a function such as `ReadableCollections.all`."""
        self._find = find

    def __call__(self, call: CallContext, arguments: Mapping[str, object], _context: ToolContext) -> ToolResult:
        """Return names and descriptions, as many as fit; a caller who can read nothing gets an empty list."""
        # A model that sends an argument expects a narrower list, which it would not get.
        if arguments:
            unknown = min(arguments)
            raise ToolError(ToolErrorKind.ARGUMENTS, f"Unknown argument {unknown!r}: the tool has none.")
        try:
            found = self._find(call.caller)
        except DomainError as problem:
            raise tool_error(call, "Listing collections failed", problem) from problem
        call.audit_fields["collections"] = len(found)
        return largest_fitting(
            len(found), lambda shown: _answer(found, shown), result_tokens, call.caller.options.max_tokens
        )


def collection_line(collection: Collection) -> str:
    """Return a collection's name, with its description where it has one."""
    if collection.description is None:
        return f"- {collection.name}"
    return f"- {collection.name}: {collection.description}"


def _answer(found: Sequence[Collection], shown: int) -> ToolResult:
    """Return the answer with the first `shown` collections."""
    listed = [{"name": each.name, "description": each.description} for each in found[:shown]]
    more = len(found) - len(listed)
    return ToolResult(
        (TextContent(_text(found[:shown], more)),), {"collections": listed, **({"more": more} if more else {})}
    )


def _text(shown: Sequence[Collection], more: int) -> str:
    if not shown:
        return "The current user may read nothing in any collection."
    lines = ["Collections in which the current user may read something:", *map(collection_line, shown)]
    if more:
        lines.append(f"The answer has no room for more collections: {more}.")
    return "\n".join(lines)
