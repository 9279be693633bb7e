"""Lists: in one order, in pages, each page for one caller."""

from typing import Any

import pytest

from groundwire_mcp.definitions.server import ServerDefinition
from groundwire_mcp.definitions.sessions import SessionOwner
from groundwire_mcp.limits import LIST_PAGE_ITEMS
from groundwire_mcp.server import McpServer
from tests.mcp_core.definitions import INFO, PROMPTS, TEMPLATES, TOOLS, Caller, DocumentFolder
from tests.mcp_core.promises import promise
from tests.mcp_core.requests import EVERYTHING, MODERN, RULES, VERSIONS, ask, body_of, result, status_and_code

LISTS = {
    "tools/list": "tools",
    "prompts/list": "prompts",
    "resources/templates/list": "resourceTemplates",
    "resources/list": "resources",
}
MANY = 2 * LIST_PAGE_ITEMS + 1


def _all_but_one(_caller: Caller) -> list[str]:
    return [f"t{number}" for number in range(MANY) if number != 1]


BIG: McpServer[Caller] = McpServer(
    ServerDefinition(
        INFO,
        [TOOLS[0]._replace(name=f"t{number}") for number in range(MANY)],
        [PROMPTS[1]._replace(name=f"p{number}") for number in range(MANY)],
        DocumentFolder(),
        [TEMPLATES[0]._replace(name=f"r{number}") for number in range(MANY)],
    ),
    RULES._replace(visible_tools=_all_but_one),
)


def pages(version: str | None, method: str, caller: Caller = EVERYTHING) -> list[list[Any]]:
    found: list[list[Any]] = []
    params: dict[str, Any] = {}
    while True:
        page = body_of(ask(version, method, params, server=BIG, caller=caller))["result"]
        found.append([each["name"] for each in page[LISTS[method]]])
        if "nextCursor" not in page:
            return found
        params = {"cursor": page["nextCursor"]}


def cursor_of(method: str) -> str:
    return body_of(ask(None, method, server=BIG))["result"]["nextCursor"]


@promise("F8")
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(("method", "letter"), [("prompts/list", "p"), ("resources/templates/list", "r")])
def test_a_long_list_comes_in_pages_in_the_servers_order(version: str | None, method: str, letter: str) -> None:
    found = pages(version, method)
    assert [len(page) for page in found] == [100, 100, 1]
    assert [name for page in found for name in page] == [f"{letter}{number}" for number in range(MANY)]


@promise("F8", "F7")
def test_pages_of_tools_hold_only_the_callers() -> None:
    found = pages(None, "tools/list")
    assert [len(page) for page in found] == [100, 100]
    assert "t1" not in found[0]


@promise("F8", "F9")
@pytest.mark.parametrize("version", VERSIONS)
def test_resources_come_in_the_pages_of_their_source(version: str | None) -> None:
    assert pages(version, "resources/list") == [["0.txt", "1.txt"], ["2.txt", "3.txt"], ["4.txt"]]
    eve = Caller(owner=SessionOwner("t_1", "kid_1", "eve"))
    assert pages(version, "resources/list", eve) == [["0.txt", "1.txt"], ["2.txt", "4.txt"]]


@promise("F8", "F17")
def test_every_page_carries_the_same_hints() -> None:
    first = body_of(ask(MODERN, "tools/list", server=BIG))["result"]
    second = body_of(ask(MODERN, "tools/list", {"cursor": first["nextCursor"]}, server=BIG))["result"]
    assert {first["cacheScope"], second["cacheScope"]} == {"private"}


@promise("F8")
@pytest.mark.parametrize("method", LISTS)
@pytest.mark.parametrize("cursor", ["", "made-up", 7, True, [], {}, "1", "MTAw"])
def test_an_unknown_cursor_is_invalid_params(method: str, cursor: object) -> None:
    for version in (None, MODERN):
        assert status_and_code(ask(version, method, {"cursor": cursor})) == (200, -32602)
    assert ask(None, method, {"cursor": None}).response.status == 200


@promise("F8")
@pytest.mark.parametrize("method", LISTS)
def test_a_cursor_is_of_no_use_to_another_list_or_caller(method: str) -> None:
    cursor = cursor_of(method)
    assert "result" in body_of(ask(None, method, {"cursor": cursor}, server=BIG))
    for other in LISTS.keys() - {method}:
        assert status_and_code(ask(None, other, {"cursor": cursor}, server=BIG)) == (200, -32602)
    owners = (
        SessionOwner("t_2", "kid_1", "ada"),
        SessionOwner("t_1", "kid_2", "ada"),
        SessionOwner("t_1", "kid_1", "eve"),
    )
    for owner in owners:
        answer = ask(None, method, {"cursor": cursor}, server=BIG, caller=Caller(owner=owner))
        assert status_and_code(answer) == (200, -32602)


@promise("F8")
def test_a_cursor_that_was_touched_or_sealed_for_something_else_is_refused() -> None:
    cursor = cursor_of("tools/list")
    touched = cursor[:10] + ("A" if cursor[10] != "A" else "B") + cursor[11:]
    for wrong in (
        touched,
        cursor[:-1],
        RULES.sealer().seal("request-state", b'["t_1","kid_1","ada","tools/list","0"]'),
    ):
        assert status_and_code(ask(None, "tools/list", {"cursor": wrong}, server=BIG)) == (200, -32602)


@promise("F8", "F7")
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    ("method", "needs"),
    [
        ("prompts/list", "prompts/get"),
        ("resources/list", "resources/read"),
        ("resources/templates/list", "resources/read"),
    ],
)
def test_lists_are_empty_for_a_caller_without_the_scope(version: str | None, method: str, needs: str) -> None:
    shown = result(version, method, caller=Caller(lacks={needs: "search"}))
    assert shown[LISTS[method]] == []
    assert result(version, method)[LISTS[method]] != []


@promise("F9")
@pytest.mark.parametrize("version", VERSIONS)
def test_a_source_that_cannot_answer_states_when_to_retry(version: str | None) -> None:
    broken = Caller(owner=SessionOwner("t_1", "kid_1", "broken"))
    answer = ask(version, "resources/list", caller=broken)
    # 2026-07-28: a server's own codes are outside -32019..-32000.
    assert status_and_code(answer) == (200, 503 if version == MODERN else -32000)
    assert body_of(answer)["error"]["data"] == {"retryable": True, "retry_after_s": 9}


@promise("F7", "H23")
@pytest.mark.parametrize("version", VERSIONS)
def test_a_tool_whose_scope_the_key_lacks_is_not_listed_and_calling_it_stays_403(version: str | None) -> None:
    tools = [tool["name"] for tool in result(version, "tools/list")["tools"]]
    lacking = EVERYTHING._replace(lacks={"find": "search"})
    listed = body_of(ask(version, "tools/list", caller=lacking))["result"]["tools"]
    assert [tool["name"] for tool in listed] == [name for name in tools if name != "find"]
    # Without a mark of MCP the codes are those of Mindset AI's page.
    code = -32001 if version is None else 403
    assert status_and_code(ask(version, "tools/call", {"name": "find"}, caller=lacking)) == (403, code)


def _first_tool(_caller: Caller) -> list[str]:
    return [TOOLS[0].name]


def _search_is_missing(_caller: Caller, _operation: str) -> str:
    return "search"


@promise("F7")
def test_a_server_for_callers_without_a_credential_lists_what_they_cannot_call() -> None:
    server = McpServer(
        ServerDefinition(INFO, [TOOLS[0]]),
        RULES._replace(
            visible_tools=_first_tool,
            missing_scope=_search_is_missing,
            lists_tools_without_scopes=True,
        ),
    )
    listed = body_of(ask(None, "tools/list", server=server))["result"]["tools"]
    assert [tool["name"] for tool in listed] == [TOOLS[0].name]
    assert status_and_code(ask(None, "tools/call", {"name": TOOLS[0].name}, server=server)) == (403, -32001)
