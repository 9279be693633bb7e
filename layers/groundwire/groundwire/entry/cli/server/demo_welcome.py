"""Welcome text of the demo: the URL, the keys, and commands that can be pasted."""

import json
from dataclasses import dataclass
from typing import Final

from groundwire.entry.cli.console import OUT, print_line
from groundwire.entry.cli.server.demo_keys import DemoKeys
from groundwire.entry.cli.server.demo_setup import COLLECTION

QUESTION: Final = "How low can we go on the price of a Sandpiper 400?"


@dataclass(frozen=True, slots=True)
class SampleUser:
    """A user of the sample company."""

    description: str
    user: str
    tags: tuple[str, ...]


SALES: Final = SampleUser("somebody in sales", "elif@weirhaven.example", ("department:sales",))
FINANCE: Final = SampleUser("somebody in finance", "noor@weirhaven.example", ("department:finance",))


def print_welcome(url: str, keys: DemoKeys) -> None:
    """Print the commands for a first answer and for a first agent."""
    OUT.print(f"\nGroundwire answers on {url}/mcp", style="bold green")
    OUT.print("\nIn another terminal, set the delegated key for the commands of docs/start.md:", style="bold")
    print_line(f"export KEY={keys.act_as}")
    for user in (SALES, FINANCE):
        OUT.print(f"\nAsk as {user.description}:", style="bold")
        print_line(curl_command(url, keys.act_as, user))
    OUT.print("\nConnect an agent of your own with the personal key:", style="bold")
    print_line(f"Claude Code  {claude_code_command(url, keys.personal)}")
    print_line(f"VS Code      .vscode/mcp.json: {vscode_config(url, keys.personal)}")
    print_line(f"Any client   Streamable HTTP at {url}/mcp with the header  Authorization: Bearer {keys.personal}")
    systems = "Foundry Local, Vertex AI, Azure AI Search and OpenSearch"
    OUT.print(f"\nAsk as clients of {systems} do:", style="bold")
    print_line(foundry_command(url, keys.personal))
    print_line(vertex_command(url, keys.personal))
    print_line(azure_command(url, keys.personal))
    print_line(opensearch_command(url, keys.personal))
    print_line("\nCtrl-C stops. Your own documents: groundwire ingest PATH --tenant demo --any-tag department:sales")


def curl_command(url: str, key: str, user: SampleUser) -> str:
    """Return an agent's call for this user as a command for a POSIX shell."""
    call = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "rag_search", "arguments": {"search_phrases": [QUESTION]}},
    }
    return " ".join(
        [
            f"curl -s {url}/mcp",
            "-H 'Content-Type: application/json'",
            f"-H 'Authorization: Bearer {key}'",
            f"-H 'x-user-id: {user.user}'",
            f"-H 'x-session-tags: {json.dumps(user.tags)}'",
            f"-d '{json.dumps(call)}'",
        ]
    )


def vertex_command(url: str, key: str) -> str:
    """Return the call of a client of Vertex AI RAG Engine as a command for a POSIX shell."""
    address = f"{url}/v1/projects/demo/locations/local:retrieveContexts"
    body = json.dumps({"query": {"text": QUESTION}})
    return f"curl -s {address} -H 'x-goog-api-key: {key}' -H 'Content-Type: application/json' -d '{body}'"


def azure_command(url: str, key: str) -> str:
    """Return the call of a client of Azure AI Search's knowledge bases as a command for a POSIX shell."""
    address = f"'{url}/knowledgebases/{COLLECTION}/retrieve?api-version=2026-04-01'"
    body = json.dumps({"intents": [{"type": "semantic", "search": QUESTION}]})
    return f"curl -s {address} -H 'api-key: {key}' -H 'Content-Type: application/json' -d '{body}'"


def opensearch_command(url: str, key: str) -> str:
    """Return the search of a client of OpenSearch as a command for a POSIX shell."""
    body = json.dumps({"query": {"match": {"content": QUESTION}}, "size": 5})
    address = f"{url}/opensearch/{COLLECTION}/_search"
    return f"curl -s {address} -u 'key:{key}' -H 'Content-Type: application/json' -d '{body}'"


def foundry_command(url: str, key: str) -> str:
    """Return a call of Foundry Local's hybrid search as a command for a POSIX shell."""
    params = {"name": "search_hybrid", "arguments": {"query": QUESTION, "top_n": 5}}
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    return " ".join(
        [
            f"curl -s {url}/edgeai/mcp",
            "-H 'Content-Type: application/json'",
            f"-H 'Authorization: Bearer {key}'",
            f"-d '{json.dumps(call)}'",
        ]
    )


def claude_code_command(url: str, key: str) -> str:
    """Return the command that registers the server with Claude Code."""
    return f'claude mcp add --transport http groundwire {url}/mcp --header "Authorization: Bearer {key}"'


def vscode_config(url: str, key: str) -> str:
    """Return the content of `.vscode/mcp.json`."""
    server = {"type": "http", "url": f"{url}/mcp", "headers": {"Authorization": f"Bearer {key}"}}
    return json.dumps({"servers": {"groundwire": server}})
