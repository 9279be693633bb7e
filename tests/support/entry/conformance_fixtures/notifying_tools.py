"""Tools that tell the client something before they answer.

The suite asks for pauses between what is told: a buffered answer has none, so nothing waits here.
"""

from collections.abc import Mapping
from typing import Final

from groundwire.services.call_context import CallContext
from groundwire_mcp.definitions.tool_context import ToolContext
from groundwire_mcp.definitions.tools import Tool, ToolResult
from tests.support.entry.conformance_fixtures.making import text_result, tool

_STEPS: Final = ("Tool execution started", "Tool processing data", "Tool execution completed")


def _report_progress(_arguments: Mapping[str, object], turn: ToolContext) -> ToolResult:
    for done in (0, 50, 100):
        turn.report_progress(done, 100)
    return text_result("Progress was reported.")


def _log(_arguments: Mapping[str, object], turn: ToolContext) -> ToolResult:
    for step in _STEPS:
        turn.log("info", step)
    return text_result("Three steps were logged.")


TELLING_TOOLS: Final[tuple[Tool[CallContext], ...]] = (
    tool("test_tool_with_progress", "Three steps of progress", _report_progress),
    tool("test_tool_with_logging", "Three lines of log", _log),
    tool("test_logging_tool", "Three lines of log, for those who asked for them", _log),
)
