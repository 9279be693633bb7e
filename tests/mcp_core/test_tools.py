"""Tools: how they are listed and called, and how their errors are reported."""

import pytest

from groundwire_mcp.jsonrpc.errors import ResultCode
from tests.mcp_core.definitions import TOOLS, Caller
from tests.mcp_core.promises import promise
from tests.mcp_core.requests import VERSIONS, ask, body_of, result, status_and_code

pytestmark = pytest.mark.parametrize("version", VERSIONS)


@promise("F7", "F18", "F17")
def test_a_caller_is_shown_its_toolset_in_the_servers_order(version: str | None) -> None:
    assert names(version, Caller(("hidden", "find"))) == ["find", "hidden"]
    assert names(version, Caller(())) == []
    assert names(version, Caller(("made_up",))) == []


@promise("F4", "F18")
def test_a_tool_is_described_with_all_that_it_declares(version: str | None) -> None:
    find = result(version, "tools/list")["tools"][0]
    assert find["title"] == "Find"
    assert find["description"] == "Does find."
    assert find["inputSchema"] == TOOLS[0].input_schema
    assert find["outputSchema"] == TOOLS[0].output_schema
    assert find["annotations"] == {
        "title": "Find",
        "readOnlyHint": True,
        "idempotentHint": True,
        "destructiveHint": False,
        "openWorldHint": False,
    }


@promise("F8")
def test_an_unknown_cursor_is_invalid_params(version: str | None) -> None:
    for cursor in ("made-up", "", 7):
        assert status_and_code(ask(version, "tools/list", {"cursor": cursor})) == (200, -32602)
    assert ask(version, "tools/list", {"cursor": None}).result_code == ResultCode.ANSWERED


@promise("F5")
def test_an_answer_is_in_content_and_structured_content_and_beside_them(version: str | None) -> None:
    for arguments in ({}, {"unheard_of": 1}):
        called = result(version, "tools/call", {"name": "find", "arguments": arguments})
        assert called["content"] == [{"type": "text", "text": "the whole answer"}]
        assert called["structuredContent"] == {"echo": arguments}
        assert called["status"] == "success"
        assert called["isError"] is False


@promise("F5")
def test_arguments_may_be_left_out(version: str | None) -> None:
    assert result(version, "tools/call", {"name": "find"})["structuredContent"] == {"echo": {}}


@promise("F6")
@pytest.mark.parametrize("arguments", [None, [], "x", 7])
def test_arguments_that_are_no_object_are_invalid_params(version: str | None, arguments: object) -> None:
    answer = ask(version, "tools/call", {"name": "find", "arguments": arguments})
    assert status_and_code(answer) == (200, -32602)
    assert (answer.result_code, answer.tool) == (ResultCode.INVALID_PARAMS, "find")


@promise("F6", "F7")
@pytest.mark.parametrize("name", ["made_up", "hidden", "FIND", ""])
def test_a_tool_outside_the_toolset_is_as_unknown_as_one_that_is_not(version: str | None, name: str) -> None:
    answer = ask(version, "tools/call", {"name": name}, caller=Caller(lacks={"hidden": "admin"}))
    assert status_and_code(answer) == (200, -32602)
    assert body_of(answer)["error"]["message"] == "Unknown tool: tools/list returns the tools of this key."
    assert (answer.result_code, answer.tool) == (ResultCode.UNKNOWN_TOOL, None)


@promise("F6")
@pytest.mark.parametrize("name", [None, 7, ["find"], {"find": 1}])
def test_a_name_that_is_no_string_is_invalid_params(version: str | None, name: object) -> None:
    answer = ask(version, "tools/call", {"name": name, "arguments": {}})
    assert status_and_code(answer) == (200, -32602)


@promise("D5")
def test_what_a_tool_raises_beside_its_errors_reaches_the_entry(version: str | None) -> None:
    with pytest.raises(ZeroDivisionError):
        ask(version, "tools/call", {"name": "find", "arguments": {"crash": True}})


@promise("F5", "F18")
def test_blocks_are_sent_as_far_as_the_client_understands_them(version: str | None) -> None:
    reported = result(version, "tools/call", {"name": "find", "arguments": {"blocks": True}})["content"]
    kinds = ["text", "image", *(["audio"] if version != "2024-11-05" else []), "resource"]
    assert [each["type"] for each in reported] == kinds
    assert reported[1] == {"type": "image", "data": "iVBORw==", "mimeType": "image/png"}


def names(version: str | None, caller: Caller) -> list[str]:
    return [tool["name"] for tool in result(version, "tools/list", caller=caller)["tools"]]
