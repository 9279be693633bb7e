"""Tools that ask the client while they run, which the handshake revisions do over a back channel.

The server has none, so to those revisions they answer with an error; a stateless client is asked in rounds.
"""

import json
from collections.abc import Mapping
from typing import Final

from groundwire.services.call_context import CallContext
from groundwire_mcp.definitions.tool_context import InputRequest, InputRequired, ToolContext
from groundwire_mcp.definitions.tools import Tool, ToolResult
from tests.support.entry.conformance_fixtures.making import Do, object_of, text_result, tool
from tests.support.entry.conformance_fixtures.questions import STRING, elicit, sample

_ORDINALS: Final = ("First", "Second", "Third")
_DEFAULTS: Final[Mapping[str, Mapping[str, object]]] = {
    "name": {"type": "string", "default": "John Doe"},
    "age": {"type": "integer", "default": 30},
    "score": {"type": "number", "default": 95.5},
    "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
    "verified": {"type": "boolean", "default": True},
}


def _titled(kind: str) -> list[dict[str, str]]:
    return [{"const": f"value{number}", "title": f"{which} {kind}"} for number, which in enumerate(_ORDINALS, 1)]


_PLAIN: Final = ["option1", "option2", "option3"]
_ENUMS: Final[Mapping[str, Mapping[str, object]]] = {
    "untitledSingle": {"type": "string", "enum": _PLAIN},
    "titledSingle": {"type": "string", "oneOf": _titled("Option")},
    "legacyEnum": {
        "type": "string",
        "enum": ["opt1", "opt2", "opt3"],
        "enumNames": ["Option One", "Option Two", "Option Three"],
    },
    "untitledMulti": {"type": "array", "items": {"type": "string", "enum": _PLAIN}},
    "titledMulti": {"type": "array", "items": {"anyOf": _titled("Choice")}},
}


def _answer(request: InputRequest, turn: ToolContext, intro: str) -> ToolResult | InputRequired:
    if "answer" not in turn.input_responses:
        return InputRequired({"answer": request})
    return text_result(f"{intro}: {json.dumps(turn.input_responses['answer'])}")


def _sample(arguments: Mapping[str, object], turn: ToolContext) -> ToolResult | InputRequired:
    return _answer(sample(str(arguments["prompt"])), turn, "LLM response")


def _elicit(arguments: Mapping[str, object], turn: ToolContext) -> ToolResult | InputRequired:
    form = elicit(
        str(arguments["message"]),
        username={"type": "string", "description": "User's response"},
        email={"type": "string", "description": "User's email address"},
    )
    return _answer(form, turn, "User response")


def _form(message: str, fields: Mapping[str, Mapping[str, object]]) -> Do:
    return lambda _arguments, turn: _answer(elicit(message, **fields), turn, "Elicitation completed")


ASKING_TOOLS: Final[tuple[Tool[CallContext], ...]] = (
    tool("test_sampling", "Asks the client's model", _sample, object_of(prompt=STRING)),
    tool("test_elicitation", "Asks the user", _elicit, object_of(message=STRING)),
    tool("test_elicitation_sep1034_defaults", "A form with defaults", _form("Review the defaults.", _DEFAULTS)),
    tool("test_elicitation_sep1330_enums", "A form with choices", _form("Choose.", _ENUMS)),
)
