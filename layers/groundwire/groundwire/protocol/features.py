"""What an offer comes to: the methods that both eras have in common, and how they are declared."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Generic, NamedTuple

from groundwire.protocol.asked import Asked, Reply
from groundwire.protocol.completions import Completions
from groundwire.protocol.cursors import Cursors
from groundwire.protocol.prompt_book import PromptBook
from groundwire.protocol.resource_shelf import ResourceShelf
from groundwire.protocol.rounds import Rounds
from groundwire.protocol.toolbox import Toolbox
from groundwire.protocol.tools import CallerT

if TYPE_CHECKING:
    from groundwire.protocol.offer import Offer, Rules


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
    cursors, rounds = Cursors(rules), Rounds(rules)
    tools = Toolbox(offer, rules, cursors, rounds)
    capabilities: dict[str, object] = {"tools": {}}
    methods: dict[str, Callable[[Asked[CallerT]], Reply]] = {"tools/list": tools.describe, "tools/call": tools.call}
    if offer.prompts:
        prompts = PromptBook(offer, rules, cursors, rounds)
        capabilities["prompts"] = {}
        methods |= {"prompts/list": prompts.describe, "prompts/get": prompts.fill}
    if offer.resources is not None:
        shelf = ResourceShelf(offer.resources, offer.templates, rules, cursors)
        capabilities["resources"] = {}
        methods |= {
            "resources/list": shelf.describe,
            "resources/templates/list": shelf.describe_templates,
            "resources/read": shelf.read,
        }
    completions = Completions(offer, rules)
    if completions.exist:
        capabilities["completions"] = {}
        methods["completion/complete"] = completions.complete
    return Features(capabilities, methods)
