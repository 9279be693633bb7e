"""Methods `prompts/list` and `prompts/get`."""

from typing import TYPE_CHECKING, Final, Generic

from groundwire_mcp.definitions.content import content_to_json
from groundwire_mcp.definitions.prompts import Prompt, PromptArgument, PromptMessage
from groundwire_mcp.definitions.tool_context import InputRequired
from groundwire_mcp.definitions.tools import CallerT, ToolError
from groundwire_mcp.jsonrpc.errors import ProtocolError, ResultCode
from groundwire_mcp.jsonrpc.messages import invalid_params, required_string, string_map
from groundwire_mcp.methods import tool_errors
from groundwire_mcp.methods.multi_round_trip import MultiRoundTrip
from groundwire_mcp.methods.pagination import Paginator
from groundwire_mcp.methods.scope_check import ScopeCheck
from groundwire_mcp.request_context import MethodResult, RequestContext

if TYPE_CHECKING:
    from groundwire_mcp.definitions.server import ServerDefinition, ServerDependencies

PROMPTS_GET: Final = "prompts/get"
"""The method whose scope a caller needs to list, get and complete prompts."""


class PromptMethods(Generic[CallerT]):
    """Handlers of `prompts/list` and `prompts/get`."""

    def __init__(
        self,
        definition: "ServerDefinition[CallerT]",
        dependencies: "ServerDependencies[CallerT]",
        paginator: Paginator[CallerT],
        round_trips: MultiRoundTrip[CallerT],
    ) -> None:
        self._prompts = {prompt.name: prompt for prompt in definition.prompts}
        self._descriptions = [_prompt_to_json(prompt) for prompt in definition.prompts]
        self._scope_check = ScopeCheck(dependencies.missing_scope)
        self._paginator = paginator
        self._round_trips = round_trips

    def list_prompts(self, context: RequestContext[CallerT]) -> MethodResult:
        """Answer `prompts/list`; the list is empty for a caller without the scope."""
        shown = self._descriptions if self._scope_check.is_allowed(context.caller, PROMPTS_GET) else []
        return MethodResult(self._paginator.page(context, shown, "prompts"))

    def get_prompt(self, context: RequestContext[CallerT]) -> MethodResult:
        """Answer `prompts/get`.

        Raises:
            ProtocolError: the scope is missing, the prompt is unknown, an argument is wrong, or rendering fails.
        """
        self._scope_check.require(context, PROMPTS_GET)
        prompt = self.find(required_string(context.params, "name"))
        arguments = _read_arguments(context, prompt)
        try:
            rendered = prompt.render(context.caller, arguments, self._round_trips.tool_context(context, prompt.name))
            if isinstance(rendered, InputRequired):
                return MethodResult(
                    self._round_trips.input_required_result(context, prompt.name, rendered), ResultCode.INPUT_REQUIRED
                )
        except ToolError as error:
            raise tool_errors.to_protocol_error(error) from error
        messages = [message_json for message in rendered for message_json in _message_to_json(message, context.version)]
        return MethodResult({"description": prompt.description, "messages": messages})

    def find(self, name: str) -> Prompt[CallerT]:
        """Return the prompt of this name.

        Raises:
            ProtocolError: there is no such prompt.
        """
        prompt = self._prompts.get(name)
        if prompt is None:
            raise ProtocolError(ResultCode.UNKNOWN_PROMPT, "Unknown prompt: prompts/list returns the available ones.")
        return prompt


def _read_arguments(context: RequestContext[CallerT], prompt: Prompt[CallerT]) -> dict[str, str]:
    arguments = string_map(context.params, "arguments")
    unknown = arguments.keys() - {each.name for each in prompt.arguments}
    if unknown:
        raise invalid_params(f"this prompt takes {_quoted_names(prompt.arguments) or 'no arguments'}")
    missing = tuple(each for each in prompt.arguments if each.required and each.name not in arguments)
    if missing:
        raise invalid_params(f"this prompt needs {_quoted_names(missing)}")
    return arguments


def _quoted_names(arguments: tuple[PromptArgument[CallerT], ...]) -> str:
    return ", ".join(f"`{each.name}`" for each in arguments)


def _message_to_json(message: PromptMessage, version: str) -> list[dict[str, object]]:
    """Return the message; an empty list when this revision does not define its content."""
    return [{"role": message.role, "content": block} for block in content_to_json((message.content,), version)]


def _prompt_to_json(prompt: Prompt[CallerT]) -> dict[str, object]:
    return {
        "name": prompt.name,
        "title": prompt.title,
        "description": prompt.description,
        "arguments": [_argument_to_json(each) for each in prompt.arguments],
    }


def _argument_to_json(argument: PromptArgument[CallerT]) -> dict[str, object]:
    title = {} if argument.title is None else {"title": argument.title}
    return {"name": argument.name, **title, "description": argument.description, "required": argument.required}
