"""Each tool that an agent can meet, each fault, each revision: what the caller gets."""

import json
from collections.abc import Mapping
from typing import Any, Final

import pytest

from groundwire.dialects.mindset import mindset_tools
from groundwire.dialects.openai import openai_tools
from groundwire.domain.sessions import SessionOwner
from groundwire.domain.toolsets import TOOLSETS
from groundwire.protocol.http import HttpRequest
from groundwire.protocol.offer import Offer, Rules
from groundwire.protocol.server import McpServer
from groundwire.protocol.tools import FaultKind, Tool, ToolFault, ToolResult
from groundwire.protocol.turn import Turn
from groundwire.services.call import Call
from tests.mindset.parts import call
from tests.protocol.memory_sessions import Clock, MemorySessions
from tests.protocol.offered import INFO
from tests.protocol.promises import promise
from tests.protocol.speaking import RULES, VERSIONS, headers, message

WHY: Final = "what to do about it"
CODES: Final = {FaultKind.ARGUMENTS: -32602, FaultKind.FAILURE: -32603, FaultKind.RETRYABLE: -32000}
AS_ERRORS: Final = {"rag_search", "verify_document_access"}
"""As their own page says; all others tell the model."""
NAMES: Final = sorted({name for names in TOOLSETS.values() for name in names})


def broken(_call: Call, arguments: Mapping[str, object], _turn: Turn) -> ToolResult:
    raise ToolFault(FaultKind(str(arguments["fault"])), WHY, 7)


def offered() -> list[Tool[Call]]:
    return [*mindset_tools(broken, broken), *openai_tools(broken, broken)]


def visible(_call: Call) -> list[str]:
    return NAMES


def authorize(_call: Call, _what: str) -> None:
    """Nothing is lacking."""


def owner(_call: Call) -> SessionOwner:
    return SessionOwner("t_acme", "kid", None)


def rights(_call: Call) -> tuple[str, ...]:
    return ()


SERVER: Final = McpServer(
    Offer(INFO, offered()),
    Rules(visible, authorize, owner, rights, frozenset(), RULES.seal, MemorySessions(), Clock(), lambda: "never asked"),
)


@promise("F6")
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("kind", FaultKind)
@pytest.mark.parametrize("tool", NAMES)
def test_a_fault_of_a_tool_takes_the_form_that_its_page_says(tool: str, kind: FaultKind, version: str | None) -> None:
    params = {"name": tool, "arguments": {"fault": str(kind)}}
    body = json.dumps(message(version, "tools/call", params)).encode()
    answer = SERVER.answer(HttpRequest("POST", headers(version, "tools/call", params), body), call())
    payload: dict[str, Any] = json.loads(answer.response.body)
    assert answer.response.status == 200
    if tool in AS_ERRORS:
        data = {"data": {"retryable": True, "retry_after_s": 7}} if kind is FaultKind.RETRYABLE else {}
        assert payload["error"] == {"code": CODES[kind], "message": WHY, **data}
    else:
        text = f"{WHY} (retry after 7 s)" if kind is FaultKind.RETRYABLE else WHY
        assert payload["result"]["isError"] is True
        assert payload["result"]["content"] == [{"type": "text", "text": text}]


def test_the_table_holds_every_tool_of_every_toolset() -> None:
    assert sorted(tool.name for tool in offered()) == NAMES
