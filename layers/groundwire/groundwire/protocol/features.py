"""What an offer comes to: the methods that both eras have in common, and how they are declared."""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Generic, NamedTuple

from groundwire.protocol.asked import Asked, Reply
from groundwire.protocol.cursors import Cursors
from groundwire.protocol.rounds import Rounds
from groundwire.protocol.toolbox import Toolbox
from groundwire.protocol.tools import CallerT

if TYPE_CHECKING:
    from groundwire.protocol.completions import Completions
    from groundwire.protocol.offer import Offer, Rules
    from groundwire.protocol.prompt_book import PromptBook
    from groundwire.protocol.resource_shelf import ResourceShelf


class Features(NamedTuple, Generic[CallerT]):
    """The methods that both eras have.

    Attributes:
        capabilities: MCP's `ServerCapabilities`, without `listChanged` and `subscribe`: either makes clients hold a
            stream open, which a function pays for.
    """

    capabilities: Mapping[str, object]
    methods: Mapping[str, Callable[[Asked[CallerT]], Reply]]


def features(offer: "Offer[CallerT]", rules: "Rules[CallerT]") -> Features[CallerT]:
    """The methods of whatever is offered: what is not, is an unknown method."""
    if offer.templates and offer.resources is None:
        raise ValueError("templates of resources need resources")
    if len({prompt.name for prompt in offer.prompts}) != len(offer.prompts):
        raise ValueError("two prompts have the same name")
    cursors, rounds = Cursors(rules), Rounds(rules)
    tools = Toolbox(offer, rules, cursors, rounds)
    capabilities: dict[str, object] = {"tools": {}}
    methods: dict[str, Callable[[Asked[CallerT]], Reply]] = {"tools/list": tools.describe, "tools/call": tools.call}
    parts = _LateParts(offer, rules, cursors, rounds)
    if offer.prompts:
        capabilities["prompts"] = {}
        methods |= {
            "prompts/list": lambda asked: parts.prompts.describe(asked),  # noqa: PLW0108
            "prompts/get": lambda asked: parts.prompts.fill(asked),  # noqa: PLW0108
        }
    if offer.resources is not None:
        capabilities["resources"] = {}
        methods |= {
            "resources/list": lambda asked: parts.resources.describe(asked),  # noqa: PLW0108
            "resources/templates/list": lambda asked: parts.resources.describe_templates(asked),  # noqa: PLW0108
            "resources/read": lambda asked: parts.resources.read(asked),  # noqa: PLW0108
        }
    if _completes_anything(offer):
        capabilities["completions"] = {}
        methods["completion/complete"] = lambda asked: parts.completions.complete(asked)  # noqa: PLW0108
    return Features(capabilities, methods)


def _completes_anything(offer: "Offer[CallerT]") -> bool:
    arguments = (argument for prompt in offer.prompts for argument in prompt.arguments)
    return any(argument.complete for argument in arguments) or any(each.complete for each in offer.templates)


class _LateParts(Generic[CallerT]):
    """What answers each method, made when one of them is first called: most processes never hear of some."""

    def __init__(
        self, offer: "Offer[CallerT]", rules: "Rules[CallerT]", cursors: Cursors[CallerT], rounds: Rounds[CallerT]
    ) -> None:
        self._offer = offer
        self._rules = rules
        self._cursors = cursors
        self._rounds = rounds

    @cached_property
    def prompts(self) -> "PromptBook[CallerT]":
        """Of `prompts/`."""
        from groundwire.protocol.prompt_book import PromptBook

        return PromptBook(self._offer, self._rules, self._cursors, self._rounds)

    @cached_property
    def resources(self) -> "ResourceShelf[CallerT]":
        """Of `resources/`; only where there are any."""
        from groundwire.protocol.resource_shelf import ResourceShelf

        if self._offer.resources is None:
            raise LookupError("resources")
        return ResourceShelf(self._offer.resources, self._offer.templates, self._rules, self._cursors)

    @cached_property
    def completions(self) -> "Completions[CallerT]":
        """Of `completion/`."""
        from groundwire.protocol.completions import Completions

        return Completions(self._offer, self._rules)
