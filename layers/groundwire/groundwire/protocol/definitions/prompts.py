"""Prompts as the protocol sees them: texts that a person picks from a menu, filled in with arguments."""

from collections.abc import Callable, Mapping
from typing import Generic, Literal, NamedTuple

from groundwire.protocol.definitions.completions import Completer
from groundwire.protocol.definitions.content import Content
from groundwire.protocol.definitions.tool_context import InputRequired, ToolContext
from groundwire.protocol.definitions.tools import CallerT


class PromptArgument(NamedTuple, Generic[CallerT]):
    """One argument; its value is always text.

    Attributes:
        complete: proposes values; None: none are proposed.
    """

    name: str
    description: str
    required: bool
    title: str | None = None
    complete: Completer[CallerT] | None = None


class PromptMessage(NamedTuple):
    """One message of a filled-in prompt."""

    role: Literal["user", "assistant"]
    content: Content


class Prompt(NamedTuple, Generic[CallerT]):
    """One prompt.

    Attributes:
        arguments: those it takes; required ones are there and no others are when `render` is called.
        render: the messages, from the arguments; raises `ToolFault` for a value that cannot be, or a failure.
    """

    name: str
    title: str
    description: str
    arguments: tuple[PromptArgument[CallerT], ...]
    render: Callable[[CallerT, Mapping[str, str], ToolContext], tuple[PromptMessage, ...] | InputRequired]
