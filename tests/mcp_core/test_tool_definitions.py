"""Invalid tool definitions, which a server refuses at construction."""

import pytest

from groundwire_mcp.definitions.server import ServerDefinition
from groundwire_mcp.definitions.tools import Tool
from groundwire_mcp.server import McpServer
from tests.mcp_core.definitions import INFO, TOOLS, Caller
from tests.mcp_core.promises import promise
from tests.mcp_core.requests import RULES

FLAWS: list[tuple[str, tuple[Tool[Caller], ...]]] = [
    ("same name", (TOOLS[0], TOOLS[0])),
    ("letters", (TOOLS[0]._replace(name="no spaces"),)),
    ("letters", (TOOLS[0]._replace(name="é"),)),
    ("letters", (TOOLS[0]._replace(name=""),)),
    ("at most 128", (TOOLS[0]._replace(name="x" * 129),)),
    ("type object", (TOOLS[0]._replace(input_schema={}),)),
    ("type object", (TOOLS[0]._replace(output_schema={"type": "array"}),)),
]


@promise("F3", "F4")
@pytest.mark.parametrize(("why", "tools"), FLAWS)
def test_a_tool_that_no_client_could_use_is_refused_at_once(why: str, tools: tuple[Tool[Caller], ...]) -> None:
    with pytest.raises(ValueError, match=why):
        McpServer(ServerDefinition(INFO, tools), RULES)
