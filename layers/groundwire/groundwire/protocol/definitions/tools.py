"""Tools as the protocol sees them: described by JSON Schema, called with a caller and decoded arguments."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Generic, NamedTuple, TypeVar

from groundwire.protocol.definitions.content import Content
from groundwire.protocol.definitions.tool_context import InputRequired, ToolContext

CallerT = TypeVar("CallerT")


class ToolResult(NamedTuple):
    """What a tool answers.

    Attributes:
        content: the full answer first, as text, since most clients forward only `content` to their model.
        structured: `structuredContent`; conforms to the tool's output schema; None for a tool without one.
        fields: further members of `result` itself, beside `content`, for dialects that read them there.
    """

    content: tuple[Content, ...]
    structured: Mapping[str, object] | None
    fields: Mapping[str, object] = {}


class ToolErrorKind(StrEnum):
    """What went wrong in a call."""

    ARGUMENTS = "arguments"
    FAILURE = "failure"
    RETRYABLE = "retryable"


class ToolError(Exception):
    """A call that has no answer.

    Attributes:
        kind: wrong arguments, a failure, or a failure that a repeat may cure.
        retry_after_s: for retryable ones, seconds until a repeat is worth trying.
    """

    def __init__(self, kind: ToolErrorKind, message: str, retry_after_s: int | None = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.retry_after_s = retry_after_s


class ToolContract(NamedTuple, Generic[CallerT]):
    """The specification of a tool by another system, which applies to calls of that system.

    Every `ToolFault` of such a call is a JSON-RPC error (-32602, -32603, -32000), in every era.

    Attributes:
        applies_to: tells whether a caller is that system.
        input_schema: the arguments as `tools/list` shows them to that system.
    """

    applies_to: Callable[[CallerT], bool]
    input_schema: Mapping[str, object]


class Tool(NamedTuple, Generic[CallerT]):
    """One tool; its faults are `isError` results, which a model can act on, unless a contract says otherwise.

    A call without any mark of MCP gets every fault as a JSON-RPC error.

    Attributes:
        input_schema: JSON Schema of an object with `additionalProperties: false`.
        output_schema: JSON Schema of an object; None for a tool that answers by content alone.
        is_read_only: the `readOnlyHint`; such tools are idempotent and closed-world too.
        call: raises `ToolFault` for whatever keeps it from answering.
        contract: None for a tool of MCP alone.
    """

    name: str
    title: str
    description: str
    input_schema: Mapping[str, object]
    output_schema: Mapping[str, object] | None
    is_read_only: bool
    call: Callable[[CallerT, Mapping[str, object], ToolContext], ToolResult | InputRequired]
    contract: ToolContract[CallerT] | None = None
