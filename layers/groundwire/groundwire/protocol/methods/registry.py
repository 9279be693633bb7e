"""What an offer comes to: the methods that both eras have in common, and how they are declared."""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Generic, NamedTuple

from groundwire.protocol.definitions.tools import CallerT
from groundwire.protocol.methods.multi_round_trip import MultiRoundTrip
from groundwire.protocol.methods.pagination import Paginator
from groundwire.protocol.methods.tools import ToolMethods
from groundwire.protocol.request_context import MethodResult, RequestContext

if TYPE_CHECKING:
    from groundwire.protocol.definitions.server import ServerDefinition, ServerDependencies
    from groundwire.protocol.methods.completions import CompletionMethods
    from groundwire.protocol.methods.prompts import PromptMethods
    from groundwire.protocol.methods.resources import ResourceMethods


class MethodRegistry(NamedTuple, Generic[CallerT]):
    """The methods that both eras have.

    Attributes:
        capabilities: MCP's `ServerCapabilities`, without `listChanged` and `subscribe`: either makes clients hold a
            stream open, which a function pays for.
    """

    capabilities: Mapping[str, object]
    methods: Mapping[str, Callable[[RequestContext[CallerT]], MethodResult]]


def build_registry(
    definition: "ServerDefinition[CallerT]", dependencies: "ServerDependencies[CallerT]"
) -> MethodRegistry[CallerT]:
    """The methods of whatever is offered: what is not, is an unknown method."""
    if definition.templates and definition.resources is None:
        raise ValueError("templates of resources need resources")
    if len({prompt.name for prompt in definition.prompts}) != len(definition.prompts):
        raise ValueError("two prompts have the same name")
    cursors, rounds = Paginator(dependencies), MultiRoundTrip(dependencies)
    tools = ToolMethods(definition, dependencies, cursors, rounds)
    capabilities: dict[str, object] = {"tools": {}}
    methods: dict[str, Callable[[RequestContext[CallerT]], MethodResult]] = {
        "tools/list": tools.list_tools,
        "tools/call": tools.call_tool,
    }
    parts = _LazyMethods(definition, dependencies, cursors, rounds)
    if definition.prompts:
        capabilities["prompts"] = {}
        methods |= {
            "prompts/list": lambda asked: parts.prompts.list_prompts(asked),  # noqa: PLW0108
            "prompts/get": lambda asked: parts.prompts.get_prompt(asked),  # noqa: PLW0108
        }
    if definition.resources is not None:
        capabilities["resources"] = {}
        methods |= {
            "resources/list": lambda asked: parts.resources.list_resources(asked),  # noqa: PLW0108
            "resources/templates/list": lambda asked: parts.resources.list_templates(asked),  # noqa: PLW0108
            "resources/read": lambda asked: parts.resources.read_resource(asked),  # noqa: PLW0108
        }
    if _has_completions(definition):
        capabilities["completions"] = {}
        methods["completion/complete"] = lambda asked: parts.completions.complete(asked)  # noqa: PLW0108
    return MethodRegistry(capabilities, methods)


def _has_completions(definition: "ServerDefinition[CallerT]") -> bool:
    arguments = (argument for prompt in definition.prompts for argument in prompt.arguments)
    return any(argument.complete for argument in arguments) or any(each.complete for each in definition.templates)


class _LazyMethods(Generic[CallerT]):
    """What answers each method, made when one of them is first called: most processes never hear of some."""

    def __init__(
        self,
        definition: "ServerDefinition[CallerT]",
        dependencies: "ServerDependencies[CallerT]",
        paginator: Paginator[CallerT],
        round_trips: MultiRoundTrip[CallerT],
    ) -> None:
        self._definition = definition
        self._dependencies = dependencies
        self._paginator = paginator
        self._round_trips = round_trips

    @cached_property
    def prompts(self) -> "PromptMethods[CallerT]":
        """Of `prompts/`."""
        from groundwire.protocol.methods.prompts import PromptMethods

        return PromptMethods(self._definition, self._dependencies, self._paginator, self._round_trips)

    @cached_property
    def resources(self) -> "ResourceMethods[CallerT]":
        """Of `resources/`; only where there are any."""
        from groundwire.protocol.methods.resources import ResourceMethods

        if self._definition.resources is None:
            raise LookupError("resources")
        return ResourceMethods(
            self._definition.resources, self._definition.templates, self._dependencies, self._paginator
        )

    @cached_property
    def completions(self) -> "CompletionMethods[CallerT]":
        """Of `completion/`."""
        from groundwire.protocol.methods.completions import CompletionMethods

        return CompletionMethods(self._definition, self._dependencies)
