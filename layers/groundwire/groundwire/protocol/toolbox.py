"""The tools: which of them a caller sees, how they are described, and what becomes of a call."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, Generic, NamedTuple

from groundwire.protocol.content import wire
from groundwire.protocol.json_edge import JsonObject
from groundwire.protocol.outcomes import Outcome, Refusal
from groundwire.protocol.tools import CallerT, FaultKind, Tool, ToolFault, ToolResult
from groundwire.protocol.turn import InputRequired, Turn

_MAX_NAME_CHARACTERS: Final = 128
_NAME_PUNCTUATION: Final = dict.fromkeys(map(ord, "_.-"))
_UNKNOWN_RETRY_S: Final = 5
"""For a tool that cannot say when a repeat is worth trying: long enough for a part to come back, short for a person."""

_FAULTS: Final = {
    FaultKind.ARGUMENTS: Outcome.TOOL_ARGUMENTS,
    FaultKind.FAILURE: Outcome.TOOL_FAILURE,
    FaultKind.RETRYABLE: Outcome.TOOL_RETRYABLE,
}


class Reply(NamedTuple):
    """The `result` of a request, and what to record of it.

    Attributes:
        headers: HTTP headers that go with it.
        tool: the tool that was called.
    """

    result: Mapping[str, object]
    outcome: Outcome = Outcome.ANSWERED
    tool: str | None = None
    headers: Mapping[str, str] = {}


class Toolbox(Generic[CallerT]):
    """All tools of the server, each open to the callers whose toolset names it and whose key has its scope."""

    def __init__(
        self,
        tools: Sequence[Tool[CallerT]],
        visible: Callable[[CallerT], Iterable[str]],
        authorize: Callable[[CallerT, str], str | None],
    ) -> None:
        self._tools = {tool.name: tool for tool in tools}
        if len(self._tools) != len(tools):
            raise ValueError("two tools have the same name")
        for tool in tools:
            _check(tool)
        self._visible = visible
        self._authorize = authorize

    def describe(self, params: JsonObject, caller: CallerT) -> Reply:
        """`tools/list`: the caller's tools in the server's order, on one page."""
        if params.get("cursor") is not None:
            raise Refusal(Outcome.INVALID_PARAMS, "Invalid params: unknown cursor; the list has one page.")
        names = frozenset(self._visible(caller))
        return Reply({"tools": [_description(tool) for name, tool in self._tools.items() if name in names]})

    def find(self, params: JsonObject, caller: CallerT) -> Tool[CallerT]:
        """The tool that `params.name` names; one outside the caller's toolset is as unknown as one that is not."""
        name = params.get("name")
        if not isinstance(name, str):
            raise Refusal(Outcome.INVALID_PARAMS, "Invalid params: `name` must be a string.")
        tool = self._tools.get(name)
        if tool is None or name not in self._visible(caller):
            raise Refusal(Outcome.UNKNOWN_TOOL, "Unknown tool: call tools/list for those of this key.")
        return tool

    def call(self, params: JsonObject, caller: CallerT, turn: Turn) -> Reply:
        """`tools/call`."""
        tool = self.find(params, caller)
        self._check_scope(tool.name, caller)
        arguments = call_arguments(params, tool.name)
        try:
            return Reply(_result(tool.call(caller, arguments, turn)), tool=tool.name)
        except ToolFault as fault:
            if tool.faults == "error":
                raise _error(fault, tool.name) from fault
            return Reply(_error_result(fault), _FAULTS[fault.kind], tool.name)

    def _check_scope(self, tool: str, caller: CallerT) -> None:
        scope = self._authorize(caller, tool)
        if scope is None:
            return
        challenge = f'Bearer error="insufficient_scope", scope="{scope}"'
        message = f"Forbidden: this key lacks the scope `{scope}`."
        headers = {"www-authenticate": challenge}
        raise Refusal(Outcome.MISSING_SCOPE, message, data={"scope": scope}, headers=headers, tool=tool)


def call_arguments(params: JsonObject, tool: str) -> JsonObject:
    """The arguments of a call of `tool`, which may be left out.

    Raises:
        Refusal: it is no object.
    """
    arguments = params.get("arguments", {})
    if not isinstance(arguments, dict):
        raise Refusal(Outcome.INVALID_PARAMS, "Invalid params: `arguments` must be an object.", tool=tool)
    return arguments


def _check(tool: Tool[CallerT]) -> None:
    bare = tool.name.translate(_NAME_PUNCTUATION)
    if not (bare.isascii() and bare.isalnum() and len(tool.name) <= _MAX_NAME_CHARACTERS):
        raise ValueError(f"tool name {tool.name!r}: letters, digits, _ . -; at most {_MAX_NAME_CHARACTERS}")
    if tool.input_schema.get("type") != "object" or (
        tool.output_schema is not None and tool.output_schema.get("type") != "object"
    ):
        raise ValueError(f"tool {tool.name}: both schemas must be of type object")


def _description(tool: Tool[CallerT]) -> dict[str, object]:
    hints = {"idempotentHint": True, "destructiveHint": False, "openWorldHint": False} if tool.read_only else {}
    return {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": tool.input_schema,
        **({} if tool.output_schema is None else {"outputSchema": tool.output_schema}),
        "annotations": {"title": tool.title, "readOnlyHint": tool.read_only, **hints},
    }


def _result(answer: ToolResult | InputRequired) -> dict[str, object]:
    if isinstance(answer, InputRequired):
        raise TypeError("no tool asks back yet")
    structured = {} if answer.structured is None else {"structuredContent": answer.structured}
    return {**answer.fields, "content": wire(answer.content, "2025-11-25"), **structured, "isError": False}


def _error_result(fault: ToolFault) -> dict[str, object]:
    text = str(fault)
    if fault.kind is FaultKind.RETRYABLE:
        text = f"{text} (retry after {_retry_after_s(fault)} s)"
    return {**_content(text), "isError": True}


def _error(fault: ToolFault, tool: str) -> Refusal:
    data = None
    if fault.kind is FaultKind.RETRYABLE:
        data = {"retryable": True, "retry_after_s": _retry_after_s(fault)}
    return Refusal(_FAULTS[fault.kind], str(fault), data=data, tool=tool)


def _retry_after_s(fault: ToolFault) -> int:
    return _UNKNOWN_RETRY_S if fault.retry_after_s is None else fault.retry_after_s


def _content(text: str) -> dict[str, object]:
    return {"content": [{"type": "text", "text": text}]}
