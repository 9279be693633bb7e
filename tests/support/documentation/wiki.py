"""An MCP server of another system, which the pages register as a source."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from tests.support.entry.mcp_servers.recording_server import recording_server
from tests.support.entry.mcp_servers.scripted_server import Script, text_result

PRINTED_WIKI: Final = "127.0.0.1:9000"
"""Host and port that the pages use; commands get those of the server that runs here."""
ANSWER: Final = "The pump is in hall 4."


def _declared(name: str, description: str, argument: str) -> dict[str, Any]:
    schema = {"type": "object", "properties": {argument: {"type": "string"}}, "required": [argument]}
    return {"name": name, "description": description, "inputSchema": schema}


def _answer(_params: Mapping[str, Any]) -> Mapping[str, Any]:
    return text_result(ANSWER)


@contextmanager
def running_wiki() -> Generator[str]:
    """Host and port of a server with the two tools that the pages name."""
    tools = [_declared("search", "Searches the wiki.", "query"), _declared("edit", "Edits a page.", "page")]
    with recording_server(None, Script(pages=(tools,), call=_answer)) as server:
        yield f"127.0.0.1:{server.port}"
