"""Error answers of each tool of each toolset, by error, MCP revision and transport mark."""

import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import pytest

from groundwire.dialects import DIALECTS
from groundwire.dialects.declaration.dialect import toolsets
from groundwire.dialects.default import list_collections_tool
from groundwire.dialects.openai import fetch_tool, search_tool
from groundwire.dialects.shared.contract import MINDSET_TOOLSET
from groundwire.dialects.shared.contract_tools import rag_search_tool, verify_document_access_tool
from groundwire.domain.errors import LimitExceeded, Unavailable
from groundwire.services.call_context import CallContext
from groundwire_mcp.definitions.server import ServerDefinition, ServerDependencies
from groundwire_mcp.definitions.sessions import SessionOwner
from groundwire_mcp.definitions.tool_context import ToolContext
from groundwire_mcp.definitions.tools import Tool, ToolError, ToolErrorKind, ToolResult
from groundwire_mcp.server import McpServer
from groundwire_mcp.transport.http import HttpRequest
from groundwire_mcp.transport.origins import NO_ORIGINS
from tests.mcp_core.definitions import INFO
from tests.mcp_core.memory_sessions import Clock, MemorySessions
from tests.mcp_core.promises import promise
from tests.mcp_core.requests import HANDSHAKE, JSON_HEADERS, MODERN, RULES, headers, message
from tests.support.documents.passages import call
from tests.support.registry.key_options import with_options

Payload = dict[str, Any]

WHY: Final = "what to do about it"
SESSIONS: Final = MemorySessions()
CODES: Final = {ToolErrorKind.ARGUMENTS: -32602, ToolErrorKind.FAILURE: -32603, ToolErrorKind.RETRYABLE: -32000}
RETRY: Final = {"retryable": True, "retry_after_s": 7}
OF_THE_PAGE: Final = {"rag_search", "verify_document_access"}
"""Tools that Mindset AI's page describes."""
TOOLSETS: Final = toolsets(DIALECTS)
PAIRS: Final = [(toolset, name) for toolset, names in sorted(TOOLSETS.items()) for name in names]
SHAPELESS: Final = (None, [], "x", 7)


class Era(NamedTuple):
    """A way to send calls.

    Attributes:
        version: of its header; None: it sends none.
        meta: the params' `_meta` beside that of the revision.
    """

    name: str
    version: str | None
    meta: Payload | None = None
    in_session: bool = False

    @property
    def is_marked(self) -> bool:
        """Tell whether a call has a mark of MCP."""
        return self.version is not None or self.meta is not None or self.in_session


ERAS: Final = (
    Era("no mark", None),
    Era("_meta alone", None, {"progressToken": 1}),
    Era("a session alone", None, in_session=True),
    *(Era(version, version) for version in (*HANDSHAKE, MODERN)),
    *(Era(f"{version} in a session", version, in_session=True) for version in HANDSHAKE),
)


def broken(_call: CallContext, arguments: Mapping[str, object], _turn: ToolContext) -> ToolResult:
    if "away" in arguments:
        raise LimitExceeded(WHY, 7) if arguments["away"] == "busy" else Unavailable("/srv/home is full", 7)
    raise ToolError(ToolErrorKind(str(arguments["fault"])), WHY, 7)


def offered() -> list[Tool[CallContext]]:
    makers = (rag_search_tool, list_collections_tool, verify_document_access_tool, search_tool, fetch_tool)
    return [make(lambda: broken) for make in makers]


def visible(requested: CallContext) -> tuple[str, ...]:
    return TOOLSETS[requested.caller.options.toolset]


def authorize(_call: CallContext, _what: str) -> None:
    """Grant every scope."""


def owner(_call: CallContext) -> SessionOwner:
    return SessionOwner("t_acme", "kid", None)


def rights(_call: CallContext) -> tuple[str, ...]:
    return ()


SERVER: Final = McpServer(
    ServerDefinition(INFO, offered()),
    ServerDependencies(
        visible, authorize, owner, rights, NO_ORIGINS, RULES.sealer, lambda: SESSIONS, Clock(), lambda: "session"
    ),
)


def requested_by(toolset: str) -> CallContext:
    return CallContext(with_options(call().caller, toolset=toolset))


def sent(era: Era, toolset: str, method: str, params: Payload) -> tuple[int, Payload]:
    """Return HTTP status and body of the answer."""
    more = {}
    if era.in_session:
        begin = message(None, "initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {}})
        started = SERVER.handle(
            HttpRequest("POST", "/mcp", JSON_HEADERS, json.dumps(begin).encode()), requested_by(toolset)
        )
        more = {"mcp-session-id": started.response.headers["mcp-session-id"]}
    params = params if era.meta is None else {**params, "_meta": era.meta}
    body = json.dumps(message(era.version, method, params)).encode()
    request = HttpRequest("POST", "/mcp", {**headers(era.version, method, params), **more}, body)
    answer = SERVER.handle(request, requested_by(toolset))
    return answer.response.status, json.loads(answer.response.body)


def is_of_the_page(era: Era, toolset: str, tool: str) -> bool:
    """Tell whether the page's form is due; independent of the product's own rule."""
    return not era.is_marked or (tool in OF_THE_PAGE and toolset == MINDSET_TOOLSET)


@promise("F6")
@pytest.mark.parametrize("era", ERAS, ids=lambda era: era.name)
@pytest.mark.parametrize("kind", ToolErrorKind)
@pytest.mark.parametrize(("toolset", "tool"), PAIRS)
def test_an_error_takes_the_form_of_its_toolset_and_its_client(
    toolset: str, tool: str, kind: ToolErrorKind, era: Era
) -> None:
    status, payload = sent(era, toolset, "tools/call", {"name": tool, "arguments": {"fault": str(kind)}})
    assert status == 200
    if is_of_the_page(era, toolset, tool):
        data = {"data": RETRY} if kind is ToolErrorKind.RETRYABLE else {}
        assert payload["error"] == {"code": CODES[kind], "message": WHY, **data}
        return
    text = f"{WHY} Call the tool again after 7 s." if kind is ToolErrorKind.RETRYABLE else WHY
    assert payload["result"]["isError"] is True
    assert payload["result"]["content"] == [{"type": "text", "text": text}]
    meta = payload["result"].get("_meta", {})
    assert meta.get("groundwire/retry") == (RETRY if kind is ToolErrorKind.RETRYABLE else None)


@promise("F6")
@pytest.mark.parametrize("era", ERAS, ids=lambda era: era.name)
@pytest.mark.parametrize("away", ["store", "busy"])
@pytest.mark.parametrize(("toolset", "tool"), PAIRS)
def test_a_part_that_is_unavailable_before_the_tool_begins_is_an_error_like_any_other(
    toolset: str, tool: str, away: str, era: Era
) -> None:
    status, payload = sent(era, toolset, "tools/call", {"name": tool, "arguments": {"away": away}})
    assert status == 200
    assert "/srv/home" not in json.dumps(payload)
    if is_of_the_page(era, toolset, tool):
        assert (payload["error"]["code"], payload["error"]["data"]) == (-32000, RETRY)
    else:
        assert payload["result"]["isError"] is True
        assert payload["result"]["_meta"]["groundwire/retry"] == RETRY


@promise("F6", "F7")
@pytest.mark.parametrize("era", ERAS, ids=lambda era: era.name)
@pytest.mark.parametrize("toolset", sorted(TOOLSETS))
def test_an_unknown_tool_and_a_call_without_shape_are_errors_of_the_protocol_for_everybody(
    toolset: str, era: Era
) -> None:
    others = {name for _, name in PAIRS} - set(TOOLSETS[toolset])
    for name in ("made_up", *others):
        assert sent(era, toolset, "tools/call", {"name": name})[1]["error"]["code"] == -32602
    for arguments in SHAPELESS:
        params = {"name": TOOLSETS[toolset][0], "arguments": arguments}
        assert sent(era, toolset, "tools/call", params)[1]["error"]["code"] == -32602


@promise("F4")
@pytest.mark.parametrize("era", ERAS, ids=lambda era: era.name)
@pytest.mark.parametrize("toolset", sorted(TOOLSETS))
def test_only_a_call_of_the_page_is_shown_that_it_may_send_other_arguments(toolset: str, era: Era) -> None:
    tools = sent(era, toolset, "tools/list", {})[1]["result"]["tools"]
    assert {tool["name"] for tool in tools} == set(TOOLSETS[toolset])
    for tool in tools:
        is_shown = tool["name"] in OF_THE_PAGE and (toolset == MINDSET_TOOLSET or not era.is_marked)
        assert tool["inputSchema"].get("additionalProperties", True) is is_shown


def test_the_table_holds_every_tool_of_every_toolset() -> None:
    assert {tool.name for tool in offered()} == {name for _, name in PAIRS}
