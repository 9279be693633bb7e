"""Methods of the MCP server."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from groundwire.dialects.opensearch.errors import from_domain_error
from groundwire.dialects.opensearch.mcp.messages import (
    INTERNAL_ERROR,
    McpCallError,
    McpRequest,
    failed_tool_error,
    internal_error,
    request_params,
    unknown_method_error,
    unknown_tool_error,
)
from groundwire.domain.errors import DomainError
from groundwire_mcp.definitions.content import content_to_json
from groundwire_mcp.definitions.tool_context import InputRequired, ToolContext
from groundwire_mcp.definitions.tools import Tool, ToolError
from groundwire_mcp.jsonrpc.errors import ProtocolError, ResultCode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundwire.dialects.opensearch.tools.registered import ListedTool
    from groundwire.services.call_context import CallContext
    from groundwire_mcp.jsonrpc.json_codec import JsonObject

# ML Commons 3.8 echoes these versions; 3.3 to 3.5 answer 2025-03-26 to every client.
_PROTOCOL_VERSIONS: Final = ("2025-03-26", "2025-06-18", "2025-11-25")
_MOST_NAME_CHARACTERS: Final = 200
_CAPABILITIES: Final[Mapping[str, Any]] = {
    "logging": {},
    "prompts": {"listChanged": False},
    "resources": {"subscribe": False, "listChanged": False},
    "tools": {"listChanged": True},
}
_SERVER_INFO: Final = {"name": "OpenSearch-MCP-Stateless-Server", "version": "0.1.0"}
_INSTRUCTIONS: Final = "OpenSearch MCP Stateless Server - provides access to ML tools without sessions"


class MethodAnswer(NamedTuple):
    """Result of a method.

    Attributes:
        tool: type of the called tool.
    """

    result: Mapping[str, object]
    tool: str | None = None


class McpMethods:
    """Methods by name.

    Args:
        list_tools: returns the tools of the caller's tenant.
        missing_scope: returns the scope that the caller lacks for a type of tools.
    """

    def __init__(
        self,
        list_tools: "Callable[[CallContext], Sequence[ListedTool]]",
        missing_scope: "Callable[[CallContext, str], str | None]",
    ) -> None:
        self._list_tools = list_tools
        self._missing_scope = missing_scope
        self._methods: Mapping[str, Callable[[CallContext, McpRequest], MethodAnswer]] = {
            "initialize": _initialize,
            "ping": _constant({}),
            "tools/list": self._tools_list,
            "tools/call": self._tools_call,
            "prompts/list": _constant({"prompts": []}),
            "prompts/get": _prompts_get,
            "resources/list": _constant({"resources": []}),
            "resources/templates/list": _constant({"resourceTemplates": []}),
            "resources/read": _resources_read,
        }

    def answer(self, call: "CallContext", request: McpRequest) -> MethodAnswer:
        """Return the result of a request.

        Raises:
            McpCallError: the request is wrong, or a tool fails.
        """
        method = self._methods.get(request.method)
        if method is None:
            raise unknown_method_error(request.method)
        return method(call, request)

    def _tools_list(self, call: "CallContext", request: McpRequest) -> MethodAnswer:
        if request.params is not None:
            request_params(request)
        shown = [each for each in self._list_tools(call) if self._missing_scope(call, each.type) is None]
        return MethodAnswer({"tools": [_described(each.tool) for each in shown]})

    def _tools_call(self, call: "CallContext", request: McpRequest) -> MethodAnswer:
        params = request_params(request)
        arguments = _arguments(params)
        name = params.get("name")
        found = next((each for each in self._list_tools(call) if each.tool.name == name), None)
        if found is None:
            raise unknown_tool_error(name)
        self._require_scope(call, found.type)
        try:
            result = found.tool.call(call, arguments, ToolContext(_PROTOCOL_VERSIONS[0]))
        except ToolError as error:
            raise failed_tool_error(error, found.type) from error
        except DomainError as error:
            raise failed_tool_error(from_domain_error(call, error), found.type) from error
        if isinstance(result, InputRequired):
            raise internal_error("a tool requested input from the user")
        content = content_to_json(result.content, _PROTOCOL_VERSIONS[0])
        return MethodAnswer({"content": content, "isError": False}, found.type)

    def _require_scope(self, call: "CallContext", tool_type: str) -> None:
        scope = self._missing_scope(call, tool_type)
        if scope is None:
            return
        raise ProtocolError(
            ResultCode.MISSING_SCOPE,
            f"Forbidden: this key lacks the scope `{scope}`.",
            data={"scope": scope},
            headers={"www-authenticate": f'Bearer error="insufficient_scope", scope="{scope}"'},
            tool=tool_type,
            code=INTERNAL_ERROR,
        )


def _constant(result: Mapping[str, object]) -> "Callable[[CallContext, McpRequest], MethodAnswer]":
    def answer(_call: "CallContext", _request: McpRequest) -> MethodAnswer:
        return MethodAnswer(result)

    return answer


def _initialize(_call: "CallContext", request: McpRequest) -> MethodAnswer:
    wanted = request_params(request).get("protocolVersion")
    version = wanted if isinstance(wanted, str) and wanted in _PROTOCOL_VERSIONS else _PROTOCOL_VERSIONS[-1]
    # Names and order are those of the system's page, which clients may compare byte for byte.
    return MethodAnswer(
        {
            "protocolVersion": version,
            "capabilities": _CAPABILITIES,
            "serverInfo": _SERVER_INFO,
            "instructions": _INSTRUCTIONS,
        }
    )


def _prompts_get(_call: "CallContext", request: McpRequest) -> MethodAnswer:
    name = str(request_params(request).get("name"))[:_MOST_NAME_CHARACTERS]
    raise McpCallError(INTERNAL_ERROR, f"Prompt not found: {name}", ResultCode.UNKNOWN_PROMPT)


def _resources_read(_call: "CallContext", request: McpRequest) -> MethodAnswer:
    uri = str(request_params(request).get("uri"))[:_MOST_NAME_CHARACTERS]
    raise internal_error(f"Resource not found: {uri}", ResultCode.UNKNOWN_RESOURCE)


def _arguments(params: "JsonObject") -> "JsonObject":
    arguments = params.get("arguments")
    # A node counts absent and null arguments as none.
    if arguments is None:
        return {}
    if not isinstance(arguments, dict):
        raise internal_error("the arguments of tools/call are no object")
    return arguments


def _described(tool: "Tool[CallContext]") -> Mapping[str, object]:
    # A node lists these three members, and no title or annotation.
    return {"name": tool.name, "description": tool.description, "inputSchema": tool.input_schema}
