"""The prompts: how they are listed, and how one is filled in."""

from typing import TYPE_CHECKING, Final, Generic

from groundwire.protocol import faults
from groundwire.protocol.asked import Asked, Reply
from groundwire.protocol.content import wire
from groundwire.protocol.cursors import Cursors
from groundwire.protocol.gate import Gate
from groundwire.protocol.outcomes import Outcome, Refusal
from groundwire.protocol.params import invalid, text, texts
from groundwire.protocol.prompts import Prompt, PromptArgument, PromptMessage
from groundwire.protocol.rounds import Rounds
from groundwire.protocol.tools import CallerT, ToolFault
from groundwire.protocol.turn import InputRequired

if TYPE_CHECKING:
    from groundwire.protocol.offer import Offer, Rules

GET_METHOD: Final = "prompts/get"
"""What a caller needs the scope of to see prompts at all."""


class PromptBook(Generic[CallerT]):
    """All prompts of the server."""

    def __init__(
        self, offer: "Offer[CallerT]", rules: "Rules[CallerT]", cursors: Cursors[CallerT], rounds: Rounds[CallerT]
    ) -> None:
        self._prompts = {prompt.name: prompt for prompt in offer.prompts}
        self._descriptions = [_description(prompt) for prompt in offer.prompts]
        self._gate = Gate(rules.authorize)
        self._cursors = cursors
        self._rounds = rounds

    def describe(self, asked: Asked[CallerT]) -> Reply:
        """`prompts/list`, empty for a caller that may fill in none."""
        shown = self._descriptions if self._gate.is_open(asked.caller, GET_METHOD) else []
        return Reply(self._cursors.page(asked, shown, "prompts"))

    def fill(self, asked: Asked[CallerT]) -> Reply:
        """`prompts/get`."""
        self._gate.check(asked.caller, GET_METHOD)
        prompt = self.find(text(asked.params, "name"))
        arguments = _arguments(asked, prompt)
        try:
            filled = prompt.fill(asked.caller, arguments, self._rounds.turn(asked, prompt.name))
            if isinstance(filled, InputRequired):
                return Reply(self._rounds.pause(asked, prompt.name, filled), Outcome.INPUT_REQUIRED)
        except ToolFault as fault:
            raise faults.error(fault) from fault
        messages = [said for message in filled for said in _wire(message, asked.version)]
        return Reply({"description": prompt.description, "messages": messages})

    def find(self, name: str) -> Prompt[CallerT]:
        """The prompt of this name; Raises Refusal."""
        prompt = self._prompts.get(name)
        if prompt is None:
            raise Refusal(Outcome.UNKNOWN_PROMPT, "Unknown prompt: prompts/list names those there are.")
        return prompt


def _arguments(asked: Asked[CallerT], prompt: Prompt[CallerT]) -> dict[str, str]:
    arguments = texts(asked.params, "arguments")
    unknown = arguments.keys() - {each.name for each in prompt.arguments}
    if unknown:
        raise invalid(f"this prompt takes {_names(prompt.arguments) or 'no arguments'}")
    missing = tuple(each for each in prompt.arguments if each.required and each.name not in arguments)
    if missing:
        raise invalid(f"this prompt needs {_names(missing)}")
    return arguments


def _names(arguments: tuple[PromptArgument[CallerT], ...]) -> str:
    return ", ".join(f"`{each.name}`" for each in arguments)


def _wire(message: PromptMessage, version: str) -> list[dict[str, object]]:
    """Empty for a message whose content this revision does not know."""
    return [{"role": message.role, "content": block} for block in wire((message.content,), version)]


def _description(prompt: Prompt[CallerT]) -> dict[str, object]:
    return {
        "name": prompt.name,
        "title": prompt.title,
        "description": prompt.description,
        "arguments": [_argument(each) for each in prompt.arguments],
    }


def _argument(argument: PromptArgument[CallerT]) -> dict[str, object]:
    title = {} if argument.title is None else {"title": argument.title}
    return {"name": argument.name, **title, "description": argument.description, "required": argument.required}
