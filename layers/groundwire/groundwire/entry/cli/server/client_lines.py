"""Settings of clients and systems that connect to a server: commands for a shell, and configuration files.

Sources: the documentation of each client of November 2026, on the pages below docs/clients/.
"""

import json
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from groundwire.entry.cli.server.demo_setup import COLLECTION

KEY_VARIABLE: Final = "KNOWLEDGE_KEY"
"""Variable that files name in place of a key, so that a repository can hold them.

It is not the variable of `groundwire --url`, which has the key of an administrator.
"""
SERVER_NAME: Final = "groundwire"
_MCP_REMOTE: Final = "mcp-remote@0.15.1"
_VSCODE_INPUT: Final = "groundwire-key"


class Client(StrEnum):
    """A client, by its name on the command line."""

    CLAUDE_CODE = "claude-code"
    CLAUDE_DESKTOP = "claude-desktop"
    VSCODE = "vscode"
    CURSOR = "cursor"
    CHATGPT = "chatgpt"
    MINDSET = "mindset"
    CURL = "curl"
    FOUNDRY = "foundry-local"
    VERTEX = "vertex"
    AZURE = "azure"
    OPENSEARCH = "opensearch"


class Connection(NamedTuple):
    """Address and keys that a client connects with.

    Attributes:
        url: address of the server, without a path.
        personal: text of a key of one person.
        delegated: text of a key whose calls name their user.
        question: a question for the documents.
        user: a user that a call with the delegated key names, and its tags.
    """

    url: str
    personal: str
    delegated: str
    question: str
    user: tuple[str, Sequence[str]]


class ProjectFile(NamedTuple):
    """A configuration file in the folder of a project.

    Attributes:
        path: its path below the folder.
        members: objects of the file that the server adds to, each with what it adds.
        lists: lists of the file that the server adds to, each with what it adds; an entry is known by its `id`.
    """

    path: str
    members: Mapping[str, Mapping[str, object]]
    lists: Mapping[str, Sequence[Mapping[str, object]]]

    def document(self) -> dict[str, object]:
        """Return the content of a new file."""
        return {**{name: [*entries] for name, entries in self.lists.items()}, **self.members}


def project_file(client: Client, url: str) -> ProjectFile | None:
    """Return the file that connects everybody who works on a project; None for a client without one.

    It has no key: Claude Code and Cursor read a variable, and VS Code asks each person once.
    """
    address = f"{url}/mcp"
    match client:
        case Client.CLAUDE_CODE:
            server = {"type": "http", "url": address, "headers": _bearer(f"${{{KEY_VARIABLE}}}")}
            return ProjectFile(".mcp.json", {"mcpServers": {SERVER_NAME: server}}, {})
        case Client.CURSOR:
            server = {"url": address, "headers": _bearer(f"${{env:{KEY_VARIABLE}}}")}
            return ProjectFile(".cursor/mcp.json", {"mcpServers": {SERVER_NAME: server}}, {})
        case Client.VSCODE:
            prompt = {"type": "promptString", "id": _VSCODE_INPUT, "description": "Groundwire key", "password": True}
            server = {"type": "http", "url": address, "headers": _bearer(f"${{input:{_VSCODE_INPUT}}}")}
            return ProjectFile(".vscode/mcp.json", {"servers": {SERVER_NAME: server}}, {"inputs": [prompt]})
        case _:
            return None


def _bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


def client_text(client: Client, to: Connection) -> str:
    """Return the text that connects a client: a command, a configuration, or what somebody enters in its settings."""
    if file := project_file(client, to.url):
        text = json.dumps(file.document(), indent=2)
        return claude_code_command(to.url, to.personal) if client is Client.CLAUDE_CODE else text
    match client:
        case Client.CLAUDE_DESKTOP:
            return claude_desktop_config(to.url, to.personal)
        case Client.CURL:
            return curl_command(to)
        case Client.CHATGPT:
            return f"address         {to.url}/mcp\nauthentication  OAuth"
        case Client.MINDSET:
            return f"address  {to.url}/mcp\nkey      {to.delegated}"
        case _:
            return _system_command(client, to)


_NOTES: Final[Mapping[Client, str]] = {
    Client.CLAUDE_CODE: "Run this once. For a whole team, write .mcp.json with --write.",
    Client.CLAUDE_DESKTOP: "Open Settings, Developer, Edit Config, add this, and start Claude Desktop again.",
    Client.VSCODE: "Put this into .vscode/mcp.json, or use --write. VS Code asks each person for the key once.",
    Client.CURSOR: f"Put this into .cursor/mcp.json, or use --write. Set {KEY_VARIABLE} before Cursor starts.",
    Client.CHATGPT: "Choose Create in Settings, Apps and Connectors. People sign in; it takes no key.",
    Client.MINDSET: "Enter both in Mindset AI, which names the user of each call.",
}
_CALLS_FROM_ITS_SERVERS: Final = frozenset({Client.CHATGPT, Client.MINDSET})


def client_note(client: Client, url: str) -> str:
    """Return the sentences beside the text: where it belongs, and what it needs."""
    note = _NOTES.get(client, "Run this in a shell.")
    if client in _CALLS_FROM_ITS_SERVERS and urlsplit(url).scheme != "https":
        return f"{note} Its servers make the calls, so they need a public https address."
    return note


def curl_command(to: Connection) -> str:
    """Return an agent's call for the user of the connection as a command for a POSIX shell."""
    user, tags = to.user
    arguments = {"search_phrases": [to.question]}
    return " ".join(
        [
            f"curl -s {to.url}/mcp",
            "-H 'Content-Type: application/json'",
            f'-H "Authorization: Bearer {to.delegated}"',
            f"-H 'x-user-id: {user}'",
            f"-H 'x-session-tags: {json.dumps([*tags])}'",
            f"-d '{_tool_call('rag_search', arguments)}'",
        ]
    )


def _tool_call(name: str, arguments: Mapping[str, object]) -> str:
    params = {"name": name, "arguments": arguments}
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})


def _system_command(client: Client, to: Connection) -> str:
    """Return the call of a client of another system as a command for a POSIX shell."""
    url, key, sent = to.url, to.personal, "-H 'Content-Type: application/json'"
    match client:
        case Client.VERTEX:
            body = json.dumps({"query": {"text": to.question}})
            address = f"{url}/v1/projects/demo/locations/local:retrieveContexts"
            return f"curl -s {address} -H \"x-goog-api-key: {key}\" {sent} -d '{body}'"
        case Client.AZURE:
            body = json.dumps({"intents": [{"type": "semantic", "search": to.question}]})
            address = f"'{url}/knowledgebases/{COLLECTION}/retrieve?api-version=2026-04-01'"
            return f"curl -s {address} -H \"api-key: {key}\" {sent} -d '{body}'"
        case Client.OPENSEARCH:
            body = json.dumps({"query": {"match": {"content": to.question}}, "size": 5})
            return f"curl -s {url}/opensearch/{COLLECTION}/_search -u \"key:{key}\" {sent} -d '{body}'"
        case _:
            call = _tool_call("search_hybrid", {"query": to.question, "top_n": 5})
            return f"curl -s {url}/edgeai/mcp {sent} -H \"Authorization: Bearer {key}\" -d '{call}'"


def claude_code_command(url: str, key: str) -> str:
    """Return the command that registers the server with Claude Code."""
    return f'claude mcp add --transport http {SERVER_NAME} {url}/mcp --header "Authorization: Bearer {key}"'


def claude_desktop_config(url: str, key: str) -> str:
    """Return the content of `claude_desktop_config.json`, which can start programs only: `mcp-remote` connects."""
    plain = () if urlsplit(url).scheme == "https" else ("--allow-http",)
    # Some systems split an argument at a space, so the header is a variable and has none.
    header = ("--header", "Authorization:${AUTH_HEADER}")
    arguments = ["-y", _MCP_REMOTE, f"{url}/mcp", *plain, "--transport", "http-only", *header]
    server = {"command": "npx", "args": arguments, "env": {"AUTH_HEADER": f"Bearer {key}"}}
    return json.dumps({"mcpServers": {SERVER_NAME: server}}, indent=2)


def vscode_config(url: str, key: str) -> str:
    """Return the content of `.vscode/mcp.json` with a key, for one person."""
    return json.dumps({"servers": {SERVER_NAME: {"type": "http", "url": f"{url}/mcp", "headers": _bearer(key)}}})
