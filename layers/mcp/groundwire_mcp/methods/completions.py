"""Method `completion/complete`: values for a prompt's arguments and a template's variables."""

from typing import TYPE_CHECKING, Final, Generic

from groundwire_mcp.definitions.completions import Completer, CompletionResult
from groundwire_mcp.definitions.prompts import Prompt
from groundwire_mcp.definitions.resources import ResourceTemplate
from groundwire_mcp.definitions.tools import CallerT, ToolError
from groundwire_mcp.jsonrpc.json_codec import JsonObject
from groundwire_mcp.jsonrpc.messages import invalid_params, required_object, required_string, string_map
from groundwire_mcp.limits import MAX_COMPLETIONS
from groundwire_mcp.methods import tool_errors
from groundwire_mcp.methods.prompts import PROMPTS_GET
from groundwire_mcp.methods.resources import RESOURCES_READ
from groundwire_mcp.methods.scope_check import ScopeCheck
from groundwire_mcp.request_context import MethodResult, RequestContext

if TYPE_CHECKING:
    from collections.abc import Mapping

    from groundwire_mcp.definitions.server import ServerDefinition, ServerDependencies

_NO_COMPLETIONS: Final = CompletionResult((), total=0)


class CompletionMethods(Generic[CallerT]):
    """Completion by prompt argument and by template variable."""

    def __init__(self, definition: "ServerDefinition[CallerT]", dependencies: "ServerDependencies[CallerT]") -> None:
        self._prompts = {prompt.name: _prompt_completers(prompt) for prompt in definition.prompts}
        self._templates = {template.uri_template: _template_completers(template) for template in definition.templates}
        self._scope_check = ScopeCheck(dependencies.missing_scope)

    def complete(self, context: RequestContext[CallerT]) -> MethodResult:
        """Answer `completion/complete`; the result is empty for a caller without the scope.

        Raises:
            ProtocolError: the reference or argument is unknown, or the completer fails.
        """
        reference, argument = required_object(context.params, "ref"), required_object(context.params, "argument")
        method, completers = self._resolve_reference(reference)
        name, value = required_string(argument, "name"), required_string(argument, "value")
        others = (
            string_map(required_object(context.params, "context"), "arguments") if "context" in context.params else {}
        )
        # Before the names are checked: a caller without the scope does not learn which of them exist.
        if not self._scope_check.is_allowed(context.caller, method):
            return _method_result(_NO_COMPLETIONS)
        if completers is None or name not in completers:
            raise invalid_params("`ref` and `argument.name` must name a prompt or template and an argument of it")
        complete = completers[name]
        try:
            return _method_result(_NO_COMPLETIONS if complete is None else complete(context.caller, value, others))
        except ToolError as error:
            raise tool_errors.to_protocol_error(error) from error

    def _resolve_reference(self, reference: JsonObject) -> "tuple[str, Mapping[str, Completer[CallerT] | None] | None]":
        if reference.get("type") == "ref/prompt":
            return PROMPTS_GET, self._prompts.get(required_string(reference, "name"))
        if reference.get("type") == "ref/resource":
            return RESOURCES_READ, self._templates.get(required_string(reference, "uri"))
        raise invalid_params("`ref.type` must be ref/prompt or ref/resource")


def _prompt_completers(prompt: Prompt[CallerT]) -> dict[str, Completer[CallerT] | None]:
    return {argument.name: argument.complete for argument in prompt.arguments}


def _template_completers(template: ResourceTemplate[CallerT]) -> dict[str, Completer[CallerT] | None]:
    # Level 1 of RFC 6570 has `{name}` alone, without operators and lists.
    variables = [part.partition("}")[0] for part in template.uri_template.split("{")[1:]]
    return {name: template.complete.get(name) for name in variables}


def _method_result(completed: CompletionResult) -> MethodResult:
    values = completed.values[:MAX_COMPLETIONS]
    total = {} if completed.total is None else {"total": completed.total}
    has_more = completed.has_more or len(values) < len(completed.values)
    return MethodResult({"completion": {"values": values, **total, "hasMore": has_more}})
