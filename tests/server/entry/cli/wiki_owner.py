"""An MCP server on this machine, and the commands of an owner who registers it as a source."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.support.entry.command import Command, Finished
from tests.support.entry.mcp_servers.recording_server import RecordingServer, recording_server
from tests.support.entry.mcp_servers.scripted_server import Script

SECRET = "wiki-key-7f3a91"
UNREACHABLE = "The source cannot be used: no list of tools came from its MCP server"


@dataclass
class Wiki:
    """A server of two tools, whose declarations a test can change.

    Attributes:
        tools: what it declares.
    """

    server: RecordingServer
    tools: list[dict[str, Any]]

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.server.port}"

    @property
    def url(self) -> str:
        return f"http://{self.host}/mcp"

    def redescribe(self, name: str, description: str) -> None:
        """Declare the tool with another description."""
        for tool in self.tools:
            if tool["name"] == name:
                tool["description"] = description


@dataclass(frozen=True)
class Owner:
    """The command of an owner to whose installation the operator allows the wiki.

    Attributes:
        tenant: options that name it.
    """

    command: Command
    tenant: tuple[str, ...] = field(default=("-t", "acme"))

    def __call__(self, *arguments: str, typed: str = "") -> Finished:
        return self.command("source", *arguments, *self.tenant, typed=typed)

    def json(self, *arguments: str, typed: str = "") -> Any:
        """Return the JSON that the command prints on success."""
        return self(*arguments, "--json", typed=typed).done().json

    def doctor(self) -> tuple[int, list[dict[str, Any]]]:
        """The exit code of `doctor`, and its findings about sources."""
        ended = self.command("doctor", "--json")
        return ended.code, [each for each in ended.json if each["check"] == "source"]


def declared(name: str, description: str) -> dict[str, Any]:
    schema = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
    return {"name": name, "description": description, "inputSchema": schema}


@contextmanager
def running_wiki() -> Generator[Wiki]:
    tools = [declared("search", "Searches the wiki."), declared("edit", "Edits a page.")]
    with recording_server(None, Script(pages=(tools,))) as server:
        yield Wiki(server, tools)


def statuses(row: dict[str, Any]) -> dict[str, str]:
    return {tool["name"]: tool["status"] for tool in row["tools"]}
