"""Tools with multi round trips: they ask the client, which calls again with its answers."""

import json
from collections.abc import Callable, Mapping
from typing import Final

from groundwire.services.call_context import CallContext
from groundwire_mcp.definitions.tool_context import InputRequest, InputRequired, ToolContext
from groundwire_mcp.definitions.tools import Tool, ToolError, ToolErrorKind, ToolResult
from groundwire_mcp.jsonrpc.json_codec import Json
from tests.support.entry.conformance_fixtures.making import Do, text_result, tool
from tests.support.entry.conformance_fixtures.questions import CONFIRM, NAME, ROOTS, STRING, elicit, sample

_STATE: Final = b"the state of this call"
_CAPABILITIES: Final[Mapping[str, tuple[str, InputRequest]]] = {
    "elicitation": ("user_name", NAME),
    "sampling": ("greeting", sample("Generate a greeting", 50)),
    "roots": ("client_roots", ROOTS),
}


def _ask(answer: Callable[[ToolContext], str], **requests: InputRequest) -> Do:
    """Return a tool that requests these inputs until each has its answer, and ignores all other inputs."""

    def do(_arguments: Mapping[str, object], turn: ToolContext) -> ToolResult | InputRequired:
        return text_result(answer(turn)) if requests.keys() <= turn.input_responses.keys() else InputRequired(requests)

    return do


def _ask_with_state(answer: str, **requests: InputRequest) -> Do:
    """As `_ask`, with a state that must come back as it went."""

    def do(_arguments: Mapping[str, object], turn: ToolContext) -> ToolResult | InputRequired:
        if not requests.keys() <= turn.input_responses.keys():
            return InputRequired(requests, _STATE)
        if turn.request_state != _STATE:
            raise ToolError(ToolErrorKind.ARGUMENTS, "The state of this call is not what it was.")
        return text_result(answer)

    return do


def _two_questions(_arguments: Mapping[str, object], turn: ToolContext) -> ToolResult | InputRequired:
    if turn.request_state is None or (turn.request_state == b"1" and "step1" not in turn.input_responses):
        return InputRequired({"step1": elicit("Step 1: What is your name?", name=STRING)}, b"1")
    if turn.request_state == b"1" or "step2" not in turn.input_responses:
        return InputRequired({"step2": elicit("Step 2: What is your favorite color?", color=STRING)}, b"2")
    return text_result(f"Two questions were answered, the last with {_shown(turn.input_responses['step2'])}.")


def _ask_what_the_client_can_do(_arguments: Mapping[str, object], turn: ToolContext) -> ToolResult | InputRequired:
    requests: dict[str, InputRequest] = dict(_CAPABILITIES[each] for each in _CAPABILITIES if each in turn.capabilities)
    return text_result("Answered.") if requests.keys() <= turn.input_responses.keys() else InputRequired(requests)


def _name(turn: ToolContext) -> str:
    response = turn.input_responses["user_name"]
    content = response.get("content") if isinstance(response, Mapping) else None
    return f"Hello, {content.get('name') if isinstance(content, Mapping) else None}!"


def _shown(answer: Json) -> str:
    return json.dumps(answer)


ROUND_TOOLS: Final[tuple[Tool[CallContext], ...]] = (
    tool("test_input_required_result_elicitation", "Asks for a name", _ask(_name, user_name=NAME)),
    tool(
        "test_input_required_result_sampling",
        "Asks the client's model",
        _ask(
            lambda turn: _shown(turn.input_responses["capital_question"]),
            capital_question=sample("What is the capital of France?"),
        ),
    ),
    tool(
        "test_input_required_result_list_roots",
        "Asks for roots",
        _ask(lambda turn: _shown(turn.input_responses["client_roots"]), client_roots=ROOTS),
    ),
    tool("test_input_required_result_request_state", "Remembers", _ask_with_state("state-ok", confirm=CONFIRM)),
    tool("test_input_required_result_tampered_state", "Is not fooled", _ask_with_state("state-ok", confirm=CONFIRM)),
    tool(
        "test_input_required_result_multiple_inputs",
        "Asks for three things at once",
        _ask_with_state("Three answers came.", **dict(_CAPABILITIES.values())),
    ),
    tool("test_input_required_result_multi_round", "Asks twice", _two_questions),
    tool("test_input_required_result_capabilities", "Asks for what can be had", _ask_what_the_client_can_do),
    tool(
        "test_missing_capability",
        "Needs the client's model",
        _ask(lambda turn: _shown(turn.input_responses["thought"]), thought=sample("Say something.")),
    ),
    tool("test_streaming_elicitation", "Asks for a name, on the stream of the call", _ask(_name, user_name=NAME)),
)
