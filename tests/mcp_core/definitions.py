"""Server definition of these tests: tools, prompts and resources that act as their arguments state."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from groundwire_mcp.definitions.apps import App
from groundwire_mcp.definitions.completions import CompletionResult
from groundwire_mcp.definitions.content import (
    Content,
    EmbeddedResource,
    MediaContent,
    Resource,
    ResourceContents,
    TextContent,
)
from groundwire_mcp.definitions.prompts import Prompt, PromptArgument, PromptMessage
from groundwire_mcp.definitions.resources import ResourcePage, ResourceTemplate
from groundwire_mcp.definitions.server import Icon, ServerDefinition, ServerInfo
from groundwire_mcp.definitions.sessions import SessionOwner
from groundwire_mcp.definitions.skills import Skill
from groundwire_mcp.definitions.tool_context import InputRequest, InputRequired, ToolContext
from groundwire_mcp.definitions.tools import Tool, ToolContract, ToolError, ToolErrorKind, ToolResult

if TYPE_CHECKING:
    from groundwire_mcp.definitions.log_levels import LogLevel

ADA: Final = SessionOwner("t_1", "kid_1", "ada")


class Caller(NamedTuple):
    """A key: its tools, those tools and methods whose scope it lacks, for whom it calls, and with what tags.

    Attributes:
        is_under_contract: whether the contract of `look_up` applies to it.
    """

    toolset: tuple[str, ...] = ("find", "look_up")
    lacks: Mapping[str, str] = {}
    owner: SessionOwner = ADA
    tags: frozenset[str] = frozenset()
    is_under_contract: bool = False


REQUESTS: Final[Mapping[str, InputRequest]] = {
    "form": InputRequest(
        "elicitation/create",
        {"message": "Which year?", "requestedSchema": {"type": "object", "properties": {"year": {"type": "integer"}}}},
    ),
    "url": InputRequest(
        "elicitation/create",
        {"mode": "url", "message": "Sign in.", "url": "https://example.com/sign-in", "elicitationId": "e1"},
    ),
    "sampling": InputRequest(
        "sampling/createMessage",
        {"maxTokens": 9, "messages": [{"role": "user", "content": {"type": "text", "text": "Why?"}}]},
    ),
    "sampling_tools": InputRequest(
        "sampling/createMessage",
        {
            "maxTokens": 9,
            "messages": [{"role": "user", "content": {"type": "text", "text": "Why?"}}],
            "tools": [{"name": "find", "inputSchema": {"type": "object"}}],
        },
    ),
    "roots": InputRequest("roots/list"),
}
BLOCKS: Final[tuple[Content, ...]] = (
    TextContent("the whole answer"),
    MediaContent("image", b"\x89PNG", "image/png"),
    MediaContent("audio", b"RIFF", "audio/wav"),
    EmbeddedResource(ResourceContents("doc://a/1", "one", "text/plain")),
)


def _raise_error(arguments: Mapping[str, object]) -> None:
    if "fault" in arguments:
        seconds = cast("int | None", arguments.get("retry_after_s"))
        raise ToolError(ToolErrorKind(str(arguments["fault"])), "what to do about it", seconds)
    if arguments.get("crash"):
        raise ZeroDivisionError


def _question(arguments: Mapping[str, object], turn: ToolContext) -> InputRequired | None:
    """Asks back for what `ask` names, until each has an answer."""
    names = cast("Sequence[str]", arguments.get("ask", ()))
    if "ask" not in arguments or (set(names) <= turn.input_responses.keys() and turn.request_state is not None):
        return None
    kept = arguments.get("state")
    return InputRequired({name: REQUESTS[name] for name in names}, None if kept is None else bytes.fromhex(str(kept)))


def _answer(_caller: Caller, arguments: Mapping[str, object], turn: ToolContext) -> ToolResult | InputRequired:
    for done in cast("Sequence[float]", arguments.get("progress", ())):
        turn.report_progress(done, 10, f"at {done}")
    for level in cast("Sequence[LogLevel]", arguments.get("log", ())):
        turn.log(level, {"said": level}, "test")
    _raise_error(arguments)
    question = _question(arguments, turn)
    if question is not None:
        return question
    content = BLOCKS if arguments.get("blocks") else BLOCKS[:1]
    seen = (
        {"responses": turn.input_responses, "state": turn.request_state.hex()} if turn.request_state is not None else {}
    )
    fields = {"status": "success", "isError": "never this", "resultType": "nor this"}
    fields = fields if turn.version == "2026-07-28" else {"status": "success", "isError": "never this"}
    return ToolResult(content, {"echo": arguments, **seen}, fields)


def _is_under_contract(caller: Caller) -> bool:
    return caller.is_under_contract


CONTRACT: Final[ToolContract[Caller]] = ToolContract(
    _is_under_contract, {"type": "object", "properties": {"region": {}}}
)


def _tool(name: str, contract: ToolContract[Caller] | None = None) -> Tool[Caller]:
    properties = {
        "region": {"type": "string", "x-mcp-header": "Region"},
        "limit": {"type": "integer", "x-mcp-header": "Limit"},
        "exact": {"type": "boolean", "x-mcp-header": "Exact"},
        "anything": True,
        "near": {"type": "object", "properties": {"city": {"type": "string", "x-mcp-header": "City"}}},
    }
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return Tool(
        name=name,
        title=name.title(),
        description=f"Does {name}.",
        input_schema=schema,
        output_schema={"type": "object"},
        is_read_only=True,
        call=_answer,
        contract=contract,
    )


def _names(_caller: Caller, typed: str, others: Mapping[str, str]) -> CompletionResult:
    if typed == "fault":
        raise ToolError(ToolErrorKind.RETRYABLE, "later", 3)
    if typed == "many":
        return CompletionResult(tuple(f"n{number}" for number in range(150)), total=150)
    values = tuple(name for name in ("ada", "alan", "grace", *others.values()) if name.startswith(typed))
    return CompletionResult(values, total=None, has_more=typed == "")


def _greet(
    _caller: Caller, arguments: Mapping[str, str], turn: ToolContext
) -> tuple[PromptMessage, ...] | InputRequired:
    turn.log("warning", "greeting")
    _raise_error(arguments)
    if arguments["name"] == "ask":
        answered = turn.input_responses.get("form")
        if answered is None:
            return InputRequired({"form": REQUESTS["form"]}, b"asked")
        return (PromptMessage("assistant", TextContent(f"{answered} {turn.request_state!r}")),)
    return (PromptMessage("user", TextContent(f"Greet {arguments['name']}.")), PromptMessage("assistant", BLOCKS[2]))


def _shrug(_caller: Caller, _arguments: Mapping[str, str], _turn: ToolContext) -> tuple[PromptMessage, ...]:
    return ()


PROMPTS: Final[tuple[Prompt[Caller], ...]] = (
    Prompt(
        "greet",
        "Greet",
        "Greets somebody.",
        (
            PromptArgument("name", "Whom.", required=True, title="Name", complete=_names),
            PromptArgument("fault", "What goes wrong.", required=False),
        ),
        _greet,
    ),
    Prompt("shrug", "Shrug", "Says nothing much.", (), _shrug),
    Prompt(
        "find",
        "Find",
        "Is named as a tool is.",
        tuple(PromptArgument(name, "Whatever.", required=False) for name in ("ask", "state")),
        _shrug,
    ),
)


class DocumentFolder:
    """Resources in pages of two; one that is broken, one that is empty, one that is not for everybody."""

    def page(self, caller: Caller, start: str | None) -> ResourcePage:
        numbers = [number for number in range(5) if number != 3 or caller.owner == ADA]
        begin = numbers.index(int(start)) if start is not None else 0
        if caller.owner.user == "broken":
            raise ToolError(ToolErrorKind.RETRYABLE, "later", 9)
        following = numbers[begin + 2 : begin + 3]
        shown = tuple(Resource(f"doc://a/{n}", f"{n}.txt", mime_type="text/plain") for n in numbers[begin : begin + 2])
        return ResourcePage(shown, str(following[0]) if following else None)

    def read(self, caller: Caller, uri: str) -> Sequence[ResourceContents] | None:
        if uri == "doc://broken":
            raise ToolError(ToolErrorKind.FAILURE, "torn")
        known: dict[str, tuple[ResourceContents, ...]] = {
            "doc://a/1": (ResourceContents("doc://a/1", "one", "text/plain"),),
            "doc://a/2": (ResourceContents("doc://a/2", b"\x00\xff", "application/octet-stream"),),
            "doc://a/3": (ResourceContents("doc://a/3", "secret", "text/plain"),),
            "doc://empty": (),
        }
        return None if uri == "doc://a/3" and caller.owner != ADA else known.get(uri)


TEMPLATES: Final[tuple[ResourceTemplate[Caller], ...]] = (
    ResourceTemplate(
        "doc://{collection}/{id}", "document", "Document", "A document.", "text/plain", {"collection": _names}
    ),
)
INFO: Final = ServerInfo(
    name="groundwire",
    title="Groundwire",
    version="1.2.3",
    description="Answers from documents.",
    website_url="https://example.com/docs",
    instructions="Search before you answer.",
    icons=(Icon("https://example.com/icon.svg", "image/svg+xml", ("any",)),),
)
VIEW: Final = "ui://groundwire/view"
TOOLS: Final = (_tool("find")._replace(app_uri=VIEW), _tool("look_up", CONTRACT), _tool("hidden"))
SKILLS: Final = (
    Skill("acme/depot", "pump-repair", 'Repairs pumps: "blue" ones, größer als 4.', "# Pumps\n\nTurn it off.\n"),
    Skill("acme", "pump-care", "Cares for pumps.", "# Care\n"),
)


def _apps() -> Sequence[App]:
    return (App(VIEW, "view", "View", "Shows what was found.", lambda: "<!doctype html><title>View</title>"),)


def _skills() -> Sequence[Skill]:
    return SKILLS


def _echo(params: Mapping[str, Any], caller: Caller) -> Mapping[str, object]:
    return {"params": params, "user": caller.owner.user}


EVERYTHING_OFFERED: Final[ServerDefinition[Caller]] = ServerDefinition(
    INFO,
    TOOLS,
    prompts=PROMPTS,
    resources=DocumentFolder(),
    templates=TEMPLATES,
    extra_methods={"x/echo": _echo},
    apps=_apps,
    skills=_skills,
)
TOOLS_ONLY: Final[ServerDefinition[Caller]] = ServerDefinition(INFO, TOOLS)
