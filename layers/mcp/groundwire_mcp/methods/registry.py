"""Registry of the methods and capabilities that all revisions share."""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Final, Generic, NamedTuple

from groundwire_mcp.definitions.tools import CallerT
from groundwire_mcp.methods.multi_round_trip import MultiRoundTrip
from groundwire_mcp.methods.pagination import Paginator
from groundwire_mcp.methods.tools import ToolMethods
from groundwire_mcp.request_context import MethodResult, RequestContext

if TYPE_CHECKING:
    from groundwire_mcp.definitions.server import ServerDefinition, ServerDependencies
    from groundwire_mcp.methods.completions import CompletionMethods
    from groundwire_mcp.methods.prompts import PromptMethods
    from groundwire_mcp.methods.resources import ResourceMethods
    from groundwire_mcp.methods.skills import SkillMethods

_SKILLS_EXTENSION: Final = "io.modelcontextprotocol/skills"
"""SEP-2640; the empty settings mean that the server has no `resources/directory/read`."""


class MethodRegistry(NamedTuple, Generic[CallerT]):
    """The methods that all revisions share.

    Attributes:
        capabilities: MCP's `ServerCapabilities`, without `listChanged` and `subscribe`: with either, clients hold a
            stream open, and the function is billed for that time.
    """

    capabilities: Mapping[str, object]
    methods: Mapping[str, Callable[[RequestContext[CallerT]], MethodResult]]


def build_registry(
    definition: "ServerDefinition[CallerT]", dependencies: "ServerDependencies[CallerT]"
) -> MethodRegistry[CallerT]:
    """Return the methods for the features that the definition has.

    Raises:
        ValueError: two tools or prompts have the same name, a tool is invalid, or templates, apps or skills have no
            resource source.
    """
    if definition.resources is None and (definition.templates or definition.apps or definition.skills):
        raise ValueError("templates, apps and skills need resources")
    if len({prompt.name for prompt in definition.prompts}) != len(definition.prompts):
        raise ValueError("two prompts have the same name")
    paginator, round_trips = Paginator(dependencies), MultiRoundTrip(dependencies)
    tools = ToolMethods(definition, dependencies, paginator, round_trips)
    capabilities: dict[str, object] = {"tools": {}}
    methods: dict[str, Callable[[RequestContext[CallerT]], MethodResult]] = {
        "tools/list": tools.list_tools,
        "tools/call": tools.call_tool,
    }
    lazy = _LazyMethods(definition, dependencies, paginator, round_trips)
    if definition.prompts:
        capabilities["prompts"] = {}
        methods |= {
            "prompts/list": lambda context: lazy.prompts.list_prompts(context),  # noqa: PLW0108
            "prompts/get": lambda context: lazy.prompts.get_prompt(context),  # noqa: PLW0108
        }
    if definition.resources is not None:
        capabilities["resources"] = {}
        methods |= {
            "resources/list": lambda context: lazy.resources.list_resources(context),  # noqa: PLW0108
            "resources/templates/list": lambda context: lazy.resources.list_templates(context),  # noqa: PLW0108
            "resources/read": lambda context: lazy.resources.read_resource(context),  # noqa: PLW0108
        }
    if definition.skills is not None:
        capabilities["extensions"] = {_SKILLS_EXTENSION: {}}
        methods |= {
            "skills/list": lambda context: lazy.skills.list_skills(context),  # noqa: PLW0108
            "skills/get": lambda context: lazy.skills.get_skill(context),  # noqa: PLW0108
        }
    if _has_completions(definition):
        capabilities["completions"] = {}
        methods["completion/complete"] = lambda context: lazy.completions.complete(context)  # noqa: PLW0108
    return MethodRegistry(capabilities, methods)


def _has_completions(definition: "ServerDefinition[CallerT]") -> bool:
    arguments = (argument for prompt in definition.prompts for argument in prompt.arguments)
    return any(argument.complete for argument in arguments) or any(each.complete for each in definition.templates)


class _LazyMethods(Generic[CallerT]):
    """Method classes that are built on first use, since most processes use few of them."""

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
        """The `prompts/` methods."""
        from groundwire_mcp.methods.prompts import PromptMethods

        return PromptMethods(self._definition, self._dependencies, self._paginator, self._round_trips)

    @cached_property
    def resources(self) -> "ResourceMethods[CallerT]":
        """The `resources/` methods.

        Raises:
            LookupError: the definition has no resources.
        """
        from groundwire_mcp.methods.resources import ResourceMethods

        if self._definition.resources is None:
            raise LookupError("resources")
        return ResourceMethods(self._definition.resources, self._definition, self._dependencies, self._paginator)

    @cached_property
    def skills(self) -> "SkillMethods[CallerT]":
        """The `skills/` methods.

        Raises:
            LookupError: the definition has no skills.
        """
        from groundwire_mcp.methods.skills import SkillMethods

        if self._definition.skills is None:
            raise LookupError("skills")
        return SkillMethods(self._definition.skills, self._dependencies, self._paginator)

    @cached_property
    def completions(self) -> "CompletionMethods[CallerT]":
        """The `completion/` methods."""
        from groundwire_mcp.methods.completions import CompletionMethods

        return CompletionMethods(self._definition, self._dependencies)
