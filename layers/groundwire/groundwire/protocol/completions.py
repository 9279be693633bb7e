"""`completion/complete`: what an argument of a prompt, or a variable of a template, may become."""

from typing import TYPE_CHECKING, Final, Generic

from groundwire.domain.limits import MAX_COMPLETIONS
from groundwire.protocol import faults
from groundwire.protocol.asked import Asked, Reply
from groundwire.protocol.completion import Complete, Completed
from groundwire.protocol.gate import Gate
from groundwire.protocol.json_edge import JsonObject
from groundwire.protocol.params import invalid, members, text, texts
from groundwire.protocol.prompt_book import GET_METHOD
from groundwire.protocol.prompts import Prompt
from groundwire.protocol.resource_shelf import READ_METHOD
from groundwire.protocol.resources import ResourceTemplate
from groundwire.protocol.tools import CallerT, ToolFault

if TYPE_CHECKING:
    from collections.abc import Mapping

    from groundwire.protocol.offer import Offer, Rules

_NOTHING: Final = Completed((), total=0)


class Completions(Generic[CallerT]):
    """Whatever completes something, by what it belongs to."""

    def __init__(self, offer: "Offer[CallerT]", rules: "Rules[CallerT]") -> None:
        self._prompts = {prompt.name: _of_prompt(prompt) for prompt in offer.prompts}
        self._templates = {template.uri_template: _of_template(template) for template in offer.templates}
        self._gate = Gate(rules.authorize)

    def complete(self, asked: Asked[CallerT]) -> Reply:
        """`completion/complete`, empty for a caller that may not use what is completed."""
        reference, argument = members(asked.params, "ref"), members(asked.params, "argument")
        method, known = self._referred(reference)
        name, value = text(argument, "name"), text(argument, "value")
        others = texts(members(asked.params, "context"), "arguments") if "context" in asked.params else {}
        if not self._gate.is_open(asked.caller, method):
            return _reply(_NOTHING)
        if known is None or name not in known:
            raise invalid("`ref` and `argument.name` must name a prompt or template and an argument of it")
        complete = known[name]
        try:
            return _reply(_NOTHING if complete is None else complete(asked.caller, value, others))
        except ToolFault as fault:
            raise faults.error(fault) from fault

    def _referred(self, reference: JsonObject) -> "tuple[str, Mapping[str, Complete[CallerT] | None] | None]":
        if reference.get("type") == "ref/prompt":
            return GET_METHOD, self._prompts.get(text(reference, "name"))
        if reference.get("type") == "ref/resource":
            return READ_METHOD, self._templates.get(text(reference, "uri"))
        raise invalid("`ref.type` must be ref/prompt or ref/resource")


def _of_prompt(prompt: Prompt[CallerT]) -> dict[str, Complete[CallerT] | None]:
    return {argument.name: argument.complete for argument in prompt.arguments}


def _of_template(template: ResourceTemplate[CallerT]) -> dict[str, Complete[CallerT] | None]:
    variables = [part.partition("}")[0] for part in template.uri_template.split("{")[1:]]
    return {name: template.complete.get(name) for name in variables}


def _reply(completed: Completed) -> Reply:
    values = completed.values[:MAX_COMPLETIONS]
    total = {} if completed.total is None else {"total": completed.total}
    has_more = completed.has_more or len(values) < len(completed.values)
    return Reply({"completion": {"values": values, **total, "hasMore": has_more}})
