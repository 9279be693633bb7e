"""Each tool, each fault, each revision: what the caller gets."""

from typing import Any, Final, NamedTuple

import pytest

from groundwire.protocol.outcomes import Outcome
from tests.protocol.offered import Caller
from tests.protocol.promises import promise
from tests.protocol.speaking import VERSIONS, ask, body_of, status_and_code

TEXT: Final = "what to do about it"


class Row(NamedTuple):
    """A call that goes wrong.

    Attributes:
        code: of the JSON-RPC error; None: the fault is an `isError` result.
        text: of the error or the result.
    """

    tool: str
    arguments: dict[str, Any]
    outcome: Outcome
    code: int | None
    text: str = TEXT
    data: dict[str, Any] | None = None


NOW: Final = {"fault": "retryable", "retry_after_s": 0}
SOON: Final = {"fault": "retryable", "retry_after_s": 7}
UNKNOWN: Final = {"fault": "retryable"}
TABLE: Final = (
    Row("look_up", {"fault": "arguments"}, Outcome.TOOL_ARGUMENTS, -32602),
    Row("look_up", {"fault": "failure"}, Outcome.TOOL_FAILURE, -32603),
    Row("look_up", NOW, Outcome.TOOL_RETRYABLE, -32000, data={"retryable": True, "retry_after_s": 0}),
    Row("look_up", SOON, Outcome.TOOL_RETRYABLE, -32000, data={"retryable": True, "retry_after_s": 7}),
    Row("look_up", UNKNOWN, Outcome.TOOL_RETRYABLE, -32000, data={"retryable": True, "retry_after_s": 5}),
    Row("find", {"fault": "arguments"}, Outcome.TOOL_ARGUMENTS, None),
    Row("find", {"fault": "failure"}, Outcome.TOOL_FAILURE, None),
    Row("find", NOW, Outcome.TOOL_RETRYABLE, None, f"{TEXT} (retry after 0 s)"),
    Row("find", SOON, Outcome.TOOL_RETRYABLE, None, f"{TEXT} (retry after 7 s)"),
    Row("find", UNKNOWN, Outcome.TOOL_RETRYABLE, None, f"{TEXT} (retry after 5 s)"),
)


@promise("F6", "J2")
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("row", TABLE)
def test_a_fault_takes_the_form_of_its_tool_in_every_revision(version: str | None, row: Row) -> None:
    answer = ask(version, "tools/call", {"name": row.tool, "arguments": row.arguments})
    assert (answer.response.status, answer.outcome, answer.tool) == (200, row.outcome, row.tool)
    payload = body_of(answer)
    if row.code is not None:
        assert payload["error"] == {"code": row.code, "message": row.text, **({"data": row.data} if row.data else {})}
        return
    assert payload["result"]["isError"] is True
    assert payload["result"]["content"] == [{"type": "text", "text": row.text}]
    assert "structuredContent" not in payload["result"]


@promise("F6", "F7", "H23")
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("tool", ["find", "look_up"])
def test_what_is_wrong_before_a_tool_runs_is_an_error_of_the_protocol_for_every_tool(
    version: str | None, tool: str
) -> None:
    shapeless = ask(version, "tools/call", {"name": tool, "arguments": []})
    assert status_and_code(shapeless) == (200, -32602)
    unseen = ask(version, "tools/call", {"name": tool}, caller=Caller(()))
    assert status_and_code(unseen) == (200, -32602)
    forbidden = ask(version, "tools/call", {"name": tool}, caller=Caller(lacks={tool: "search"}))
    assert status_and_code(forbidden) == (403, 403)
