"""Prompts that the suite asks for by name."""

from collections.abc import Mapping
from typing import Final

from groundwire.services.call_context import CallContext
from groundwire_mcp.definitions.completions import CompletionResult
from groundwire_mcp.definitions.content import EmbeddedResource, ResourceContents, TextContent
from groundwire_mcp.definitions.prompts import Prompt, PromptArgument, PromptMessage
from groundwire_mcp.definitions.tool_context import InputRequired, ToolContext
from tests.support.entry.conformance_fixtures.media import PNG
from tests.support.entry.conformance_fixtures.questions import STRING, elicit

_CITIES: Final = ("paris", "park", "party", "test")
_CONTEXT: Final = elicit("What context should the prompt use?", context=STRING)


def _complete(_call: CallContext, typed: str, _known: Mapping[str, str]) -> CompletionResult:
    return CompletionResult(tuple(city for city in _CITIES if city.startswith(typed)))


def _user(text: str) -> PromptMessage:
    return PromptMessage("user", TextContent(text))


def _simple(_call: CallContext, _arguments: Mapping[str, str], _turn: ToolContext) -> tuple[PromptMessage, ...]:
    return (_user("This is a simple prompt for testing."),)


def _with_arguments(_call: CallContext, arguments: Mapping[str, str], _turn: ToolContext) -> tuple[PromptMessage, ...]:
    return (_user(f"Prompt with arguments: arg1='{arguments['arg1']}', arg2='{arguments['arg2']}'"),)


def _with_resource(_call: CallContext, arguments: Mapping[str, str], _turn: ToolContext) -> tuple[PromptMessage, ...]:
    contents = ResourceContents(arguments["resourceUri"], "Embedded resource content for testing.", "text/plain")
    return PromptMessage("user", EmbeddedResource(contents)), _user("Please process the embedded resource above.")


def _with_image(_call: CallContext, _arguments: Mapping[str, str], _turn: ToolContext) -> tuple[PromptMessage, ...]:
    return PromptMessage("user", PNG), _user("Please analyze the image above.")


def _asking(
    _call: CallContext, _arguments: Mapping[str, str], turn: ToolContext
) -> tuple[PromptMessage, ...] | InputRequired:
    if "user_context" not in turn.input_responses:
        return InputRequired({"user_context": _CONTEXT})
    return (_user(f"Use this context: {turn.input_responses['user_context']}"),)


def _argument(name: str, description: str) -> PromptArgument[CallContext]:
    return PromptArgument(name, description, required=True, complete=_complete)


PROMPTS: Final[tuple[Prompt[CallContext], ...]] = (
    Prompt("test_simple_prompt", "Simple", "A prompt without arguments", (), _simple),
    Prompt(
        "test_prompt_with_arguments",
        "With arguments",
        "A prompt with two arguments",
        (_argument("arg1", "First test argument"), _argument("arg2", "Second test argument")),
        _with_arguments,
    ),
    Prompt(
        "test_prompt_with_embedded_resource",
        "With a resource",
        "A prompt that holds a resource",
        (_argument("resourceUri", "URI of the resource to embed"),),
        _with_resource,
    ),
    Prompt("test_prompt_with_image", "With a picture", "A prompt that holds a picture", (), _with_image),
    Prompt("test_input_required_result_prompt", "Asking", "A prompt that asks for its context", (), _asking),
)
