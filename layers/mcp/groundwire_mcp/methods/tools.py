"""Methods `tools/list` and `tools/call`."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, Generic

from groundwire_mcp.definitions.tools import CallerT, Tool, ToolContract, ToolError, ToolResult
from groundwire_mcp.jsonrpc.errors import ProtocolError, ResultCode
from groundwire_mcp.jsonrpc.json_codec import JsonObject
from groundwire_mcp.jsonrpc.messages import required_string
from groundwire_mcp.methods import tool_errors
from groundwire_mcp.methods.multi_round_trip import MultiRoundTrip
from groundwire_mcp.methods.pagination import Paginator
from groundwire_mcp.methods.scope_check import ScopeCheck
from groundwire_mcp.request_context import MethodResult, RequestContext
from groundwire_mcp.transport.request_metadata import check_mirrored_arguments

if TYPE_CHECKING:
    from groundwire_mcp.definitions.server import ServerDefinition, ServerDependencies

# MCP (2025-11-25, tool names): at most 128 ASCII letters, digits, `_`, `-` and `.`.
_MAX_NAME_CHARACTERS: Final = 128
_NAME_PUNCTUATION: Final = dict.fromkeys(map(ord, "_.-"))


class ToolMethods(Generic[CallerT]):
    """Handlers of `tools/list` and `tools/call`; a caller can call what its toolset names and its scopes allow."""

    def __init__(
        self,
        definition: "ServerDefinition[CallerT]",
        dependencies: "ServerDependencies[CallerT]",
        paginator: Paginator[CallerT],
        round_trips: MultiRoundTrip[CallerT],
    ) -> None:
        self._tools = {tool.name: tool for tool in definition.tools}
        if len(self._tools) != len(definition.tools):
            raise ValueError("two tools have the same name")
        for tool in definition.tools:
            _validate_definition(tool)
        self._visible_tools = dependencies.visible_tools
        self._scope_check = ScopeCheck(dependencies.missing_scope)
        self._lists_tools_without_scopes = dependencies.lists_tools_without_scopes
        self._caller_tools = dependencies.caller_tools
        self._paginator = paginator
        self._round_trips = round_trips
        self._has_apps = definition.apps is not None

    def list_tools(self, context: RequestContext[CallerT]) -> MethodResult:
        """Answer `tools/list` with the tools that the caller can call, in the server's order.

        Raises:
            ProtocolError: the cursor is invalid.
        """
        caller = context.caller
        names = frozenset(self._visible_tools(caller))
        if not self._lists_tools_without_scopes:
            names = frozenset(name for name in names if self._scope_check.is_allowed(caller, name))
        # MCP (2026-07-28): the order is the same in each list, so that clients and models can cache it.
        tools = [tool for name, tool in self._tools.items() if name in names and tool.is_listed]
        if self._caller_tools is not None:
            # A tool of another system must not replace one of the server's by its name.
            tools += [tool for tool in self._caller_tools.list_all(caller) if tool.name not in self._tools]
        shown = [_tool_to_json(tool, _applicable_contract(tool, context), caller) for tool in tools]
        if self._has_apps and context.shows_apps:
            shown = [_with_app(entry, tool) for entry, tool in zip(shown, tools, strict=True)]
        return MethodResult(self._paginator.page(context, shown, "tools"))

    def call_tool(self, context: RequestContext[CallerT]) -> MethodResult:
        """Answer `tools/call`.

        Raises:
            ProtocolError: the tool is unknown, the scope is missing, the arguments are no object, a mirrored
                header differs, or the tool fails and its errors are protocol errors.
        """
        tool = self._find(context)
        # The provider of the caller's own tools returns only those that the caller may call.
        if tool.name in self._tools:
            self._scope_check.require(
                context, tool.name, tool.name, is_contract=lambda: _applicable_contract(tool, context) is not None
            )
        arguments = _read_arguments(context.request.params, tool.name)
        is_stateless = context.is_stateless
        if is_stateless:
            check_mirrored_arguments(tool.input_schema, arguments, context.http.headers)
        # Not before: to list tools needs no context of a call.
        from groundwire_mcp.definitions.tool_context import InputRequired

        try:
            # Only stateless revisions have calls in several round trips.
            for_tool = self._round_trips.tool_context(context, tool.name) if is_stateless else context.tool_context()
            result = tool.call(context.http.caller, arguments, for_tool)
            if isinstance(result, InputRequired):
                input_required = self._round_trips.input_required_result(context, tool.name, result)
                return MethodResult(input_required, ResultCode.INPUT_REQUIRED, tool.name)
        except ToolError as error:
            if tool.error_result is not None:
                failed = _tool_result_to_json(tool.error_result(error), context.version)
                return MethodResult({**failed, "isError": True}, error.result_code, tool.name)
            if _raises_protocol_errors(tool, context):
                raise tool_errors.to_protocol_error(error, tool.name) from error
            return MethodResult(tool_errors.tool_error_result(error), error.result_code, tool.name)
        return MethodResult(_tool_result_to_json(result, context.version), tool=tool.name)

    def _find(self, context: RequestContext[CallerT]) -> Tool[CallerT]:
        """Return the tool; a tool outside the caller's toolset counts as unknown."""
        caller, name = context.http.caller, required_string(context.request.params, "name")
        tool = self._tools.get(name)
        if tool is None and self._caller_tools is not None:
            tool = self._caller_tools.find(caller, name)
        elif name not in self._visible_tools(caller):
            tool = None
        if tool is None:
            raise ProtocolError(ResultCode.UNKNOWN_TOOL, "Unknown tool: tools/list returns the tools of this key.")
        return tool


def _read_arguments(params: JsonObject, tool: str) -> JsonObject:
    """Return the arguments; empty when they are missing."""
    arguments = params.get("arguments", {})
    if not isinstance(arguments, dict):
        raise ProtocolError(ResultCode.INVALID_PARAMS, "Invalid params: `arguments` must be an object.", tool=tool)
    return arguments


def _applicable_contract(tool: Tool[CallerT], context: RequestContext[CallerT]) -> ToolContract[CallerT] | None:
    """Return the tool's contract if the caller is of its system, or the call has no MCP marker."""
    contract = tool.contract
    if contract is None or (context.has_mcp_marker and not contract.applies_to(context.caller)):
        return None
    return contract


def _raises_protocol_errors(tool: Tool[CallerT], context: RequestContext[CallerT]) -> bool:
    """Return whether errors are JSON-RPC errors: a contract applies, or the call has no MCP marker."""
    return not context.has_mcp_marker or _applicable_contract(tool, context) is not None


def _tool_result_to_json(tool_result: ToolResult, version: str) -> dict[str, object]:
    from groundwire_mcp.definitions.content import content_to_json

    structured = {} if tool_result.structured is None else {"structuredContent": tool_result.structured}
    return {
        **tool_result.fields,
        "content": content_to_json(tool_result.content, version),
        **structured,
        "isError": False,
    }


def _validate_definition(tool: Tool[CallerT]) -> None:
    alphanumeric = tool.name.translate(_NAME_PUNCTUATION)
    if not (alphanumeric.isascii() and alphanumeric.isalnum() and len(tool.name) <= _MAX_NAME_CHARACTERS):
        raise ValueError(f"tool name {tool.name!r}: letters, digits, _ . -; at most {_MAX_NAME_CHARACTERS}")
    contract = () if tool.contract is None else (tool.contract.input_schema, tool.contract.output_schema)
    schemas = (tool.input_schema, tool.output_schema, *contract)
    # Clients of the handshake revisions take schemas of objects alone; 2026-07-28 takes any.
    if any(schema is not None and schema.get("type") != "object" for schema in schemas):
        raise ValueError(f"tool {tool.name}: every schema must be of type object")


def _tool_to_json(tool: Tool[CallerT], contract: ToolContract[CallerT] | None, caller: CallerT) -> Mapping[str, object]:
    """Return the tool's description; where a contract applies, with its arguments and its answer."""
    output_schema = tool.output_schema if contract is None else contract.output_schema or tool.output_schema
    hints = {"idempotentHint": True, "destructiveHint": False, "openWorldHint": False} if tool.is_read_only else {}
    return {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description if tool.describe is None else tool.describe(caller),
        "inputSchema": tool.input_schema if contract is None else contract.input_schema,
        **({} if output_schema is None else {"outputSchema": output_schema}),
        "annotations": {"title": tool.title, "readOnlyHint": tool.is_read_only, **hints},
    }


def _with_app(description: Mapping[str, object], tool: Tool[CallerT]) -> Mapping[str, object]:
    """Return the tool's description with the app that shows its results, if it has one."""
    return description if tool.app_uri is None else {**description, "_meta": {"ui": {"resourceUri": tool.app_uri}}}
