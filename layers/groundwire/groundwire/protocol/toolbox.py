"""The tools: which of them a caller sees, how they are described, and what becomes of a call."""

from typing import TYPE_CHECKING, Final, Generic

from groundwire.protocol import faults
from groundwire.protocol.asked import Asked, Reply
from groundwire.protocol.content import wire
from groundwire.protocol.cursors import Cursors
from groundwire.protocol.envelope import check_mirrored_arguments
from groundwire.protocol.gate import Gate
from groundwire.protocol.json_edge import JsonObject
from groundwire.protocol.outcomes import Outcome, Refusal
from groundwire.protocol.params import text
from groundwire.protocol.rounds import Rounds
from groundwire.protocol.tools import CallerT, Tool, ToolFault, ToolResult
from groundwire.protocol.turn import InputRequired

if TYPE_CHECKING:
    from groundwire.protocol.offer import Offer, Rules

_MAX_NAME_CHARACTERS: Final = 128
_NAME_PUNCTUATION: Final = dict.fromkeys(map(ord, "_.-"))


class Toolbox(Generic[CallerT]):
    """All tools of the server, each open to the callers whose toolset names it and whose key has its scope."""

    def __init__(
        self, offer: "Offer[CallerT]", rules: "Rules[CallerT]", cursors: Cursors[CallerT], rounds: Rounds[CallerT]
    ) -> None:
        self._tools = {tool.name: tool for tool in offer.tools}
        if len(self._tools) != len(offer.tools):
            raise ValueError("two tools have the same name")
        for tool in offer.tools:
            _check(tool)
        self._visible = rules.visible
        self._gate = Gate(rules.authorize)
        self._cursors = cursors
        self._rounds = rounds

    def describe(self, asked: Asked[CallerT]) -> Reply:
        """`tools/list`: the caller's tools in the server's order."""
        names = frozenset(self._visible(asked.caller))
        shown = [_description(tool, asked.caller) for name, tool in self._tools.items() if name in names]
        return Reply(self._cursors.page(asked, shown, "tools"))

    def call(self, asked: Asked[CallerT]) -> Reply:
        """`tools/call`."""
        tool = self._find(asked)
        self._gate.check(asked.caller, tool.name, tool.name)
        arguments = _arguments(asked.params, tool.name)
        if asked.is_stateless:
            check_mirrored_arguments(tool.input_schema, arguments, asked.visit.headers)
        try:
            answer = tool.call(asked.caller, arguments, self._rounds.turn(asked, tool.name))
            if isinstance(answer, InputRequired):
                question = self._rounds.pause(asked, tool.name, answer)
                return Reply(question, Outcome.INPUT_REQUIRED, tool.name)
        except ToolFault as fault:
            if _answers_by_errors(tool, asked):
                raise faults.error(fault, tool.name) from fault
            return Reply(faults.error_result(fault), faults.OUTCOMES[fault.kind], tool.name)
        return Reply(_result(answer, asked.version), tool=tool.name)

    def _find(self, asked: Asked[CallerT]) -> Tool[CallerT]:
        """One outside the caller's toolset is as unknown as one that is not."""
        name = text(asked.params, "name")
        tool = self._tools.get(name)
        if tool is None or name not in self._visible(asked.caller):
            raise Refusal(Outcome.UNKNOWN_TOOL, "Unknown tool: call tools/list for those of this key.")
        return tool


def _arguments(params: JsonObject, tool: str) -> JsonObject:
    """The arguments may be left out."""
    arguments = params.get("arguments", {})
    if not isinstance(arguments, dict):
        raise Refusal(Outcome.INVALID_PARAMS, "Invalid params: `arguments` must be an object.", tool=tool)
    return arguments


def _answers_by_errors(tool: Tool[CallerT], asked: Asked[CallerT]) -> bool:
    """Tell whether a fault is a JSON-RPC error: by the tool's contract, or for a call without any mark of MCP."""
    return not asked.is_marked or (tool.contract is not None and tool.contract.applies_to(asked.caller))


def _result(answer: ToolResult, version: str) -> dict[str, object]:
    structured = {} if answer.structured is None else {"structuredContent": answer.structured}
    return {**answer.fields, "content": wire(answer.content, version), **structured, "isError": False}


def _check(tool: Tool[CallerT]) -> None:
    bare = tool.name.translate(_NAME_PUNCTUATION)
    if not (bare.isascii() and bare.isalnum() and len(tool.name) <= _MAX_NAME_CHARACTERS):
        raise ValueError(f"tool name {tool.name!r}: letters, digits, _ . -; at most {_MAX_NAME_CHARACTERS}")
    contract = None if tool.contract is None else tool.contract.input_schema
    schemas = (tool.input_schema, tool.output_schema, contract)
    if any(schema is not None and schema.get("type") != "object" for schema in schemas):
        raise ValueError(f"tool {tool.name}: every schema must be of type object")


def _description(tool: Tool[CallerT], caller: CallerT) -> dict[str, object]:
    """Describe the tool, with the contract's arguments for a caller to whom the contract applies."""
    contract = tool.contract if tool.contract is not None and tool.contract.applies_to(caller) else None
    hints = {"idempotentHint": True, "destructiveHint": False, "openWorldHint": False} if tool.read_only else {}
    return {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": tool.input_schema if contract is None else contract.input_schema,
        **({} if tool.output_schema is None else {"outputSchema": tool.output_schema}),
        "annotations": {"title": tool.title, "readOnlyHint": tool.read_only, **hints},
    }
