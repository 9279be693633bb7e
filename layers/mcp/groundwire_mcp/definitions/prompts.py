"""Prompt definitions: templates that a person picks from a menu and fills in with arguments."""

from typing import TYPE_CHECKING, Generic, Literal, NamedTuple

from groundwire_mcp.definitions.completions import Completer
from groundwire_mcp.definitions.tools import CallerT

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from groundwire_mcp.definitions.content import Content
    from groundwire_mcp.definitions.tool_context import InputRequired, ToolContext


class PromptArgument(NamedTuple, Generic[CallerT]):
    """One argument of a prompt; its value is always text.

    Attributes:
        complete: proposes values; None when there are no proposals.
    """

    name: str
    description: str
    required: bool
    title: str | None = None
    complete: Completer[CallerT] | None = None


class PromptMessage(NamedTuple):
    """One message of a rendered prompt."""

    role: Literal["user", "assistant"]
    content: "Content"


class Prompt(NamedTuple, Generic[CallerT]):
    """One prompt.

    Attributes:
        arguments: the accepted arguments. `render` gets every required one and no unknown one.
        render: returns the messages for the arguments; raises `ToolError` for an invalid value or a failure.
    """

    name: str
    title: str
    description: str
    arguments: tuple[PromptArgument[CallerT], ...]
    render: "Callable[[CallerT, Mapping[str, str], ToolContext], tuple[PromptMessage, ...] | InputRequired]"
