"""Tool definitions: JSON Schema for arguments and results, called with a caller and decoded arguments."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Final, Generic, NamedTuple, TypeVar

from groundwire_mcp.jsonrpc.errors import ProtocolError, ResultCode

if TYPE_CHECKING:
    from groundwire_mcp.definitions.content import Content
    from groundwire_mcp.definitions.tool_context import InputRequired, ToolContext

CallerT = TypeVar("CallerT")


class ToolResult(NamedTuple):
    """The result of a tool call.

    Attributes:
        content: the full answer first, as text, since most clients forward only `content` to their model.
        structured: `structuredContent`; conforms to the tool's output schema; None for a tool without one.
        fields: further members of `result` itself, beside `content`, for dialects that read them there.
    """

    content: "tuple[Content, ...]"
    structured: Mapping[str, object] | None
    fields: Mapping[str, object] = {}


class ToolErrorKind(StrEnum):
    """Kinds of tool errors: wrong arguments, failure, or a failure that a repeat may cure."""

    ARGUMENTS = "arguments"
    FAILURE = "failure"
    RETRYABLE = "retryable"


_RESULT_CODES: Final = {
    ToolErrorKind.ARGUMENTS: ResultCode.TOOL_ARGUMENTS,
    ToolErrorKind.FAILURE: ResultCode.TOOL_FAILURE,
    ToolErrorKind.RETRYABLE: ResultCode.TOOL_RETRYABLE,
}


class ToolError(ProtocolError):
    """An error of a tool, a prompt, a completer or a resource source.

    Attributes:
        kind: wrong arguments, a failure, or a failure that a repeat may cure.
        retry_after_s: seconds until a repeat may succeed, for retryable errors; None when unknown.
    """

    def __init__(self, kind: ToolErrorKind, message: str, retry_after_s: int | None = None) -> None:
        super().__init__(_RESULT_CODES[kind], message)
        self.kind = kind
        self.retry_after_s = retry_after_s


class ToolContract(NamedTuple, Generic[CallerT]):
    """The specification of a tool by another system, which applies to calls from that system.

    Those are the calls of its keys, in every revision, and the calls of any key without an MCP marker. Every
    `ToolError` of such a call is a JSON-RPC error (-32602, -32603, -32000).

    Attributes:
        applies_to: tells whether a caller is that system.
        input_schema: the arguments as `tools/list` shows them to that system.
        output_schema: likewise, of the structured answer; None: that of the tool.
    """

    applies_to: Callable[[CallerT], bool]
    input_schema: Mapping[str, object]
    output_schema: Mapping[str, object] | None = None


class Tool(NamedTuple, Generic[CallerT]):
    """One tool; its errors are `isError` results for the model, unless a contract applies.

    A call without any MCP marker gets every error as a JSON-RPC error.

    Attributes:
        input_schema: JSON Schema of an object with `additionalProperties: false`.
        output_schema: JSON Schema of an object; None for a tool without structured output.
        is_read_only: the `readOnlyHint`; such tools are also idempotent and closed-world.
        call: handles a call; raises `ToolError`.
        contract: None for a tool that only MCP clients use.
        describe: the description for a caller, where it is not the same for all; None: `description`.
        is_listed: whether `tools/list` shows the tool; one that is not listed can be called.
        error_result: the result of an error in the form of the tool's system, for every caller; None: the error's text
            in an `isError` result, or a JSON-RPC error.
        app_uri: the app of the server that shows the result; named to clients alone that show apps.
    """

    name: str
    title: str
    description: str
    input_schema: Mapping[str, object]
    output_schema: Mapping[str, object] | None
    is_read_only: bool
    call: "Callable[[CallerT, Mapping[str, object], ToolContext], ToolResult | InputRequired]"
    contract: ToolContract[CallerT] | None = None
    describe: Callable[[CallerT], str] | None = None
    is_listed: bool = True
    error_result: Callable[[ToolError], ToolResult] | None = None
    app_uri: str | None = None
