"""`groundwire connect`: lines that connect clients to the demo, which can be pasted."""

import json
from typing import Annotated, Final

import typer

from groundwire import wiring
from groundwire.domain.errors import NotFound
from groundwire.entry.cli.console import OUT, print_line
from groundwire.entry.cli.options import examples
from groundwire.entry.cli.server.demo_keys import stored_keys
from groundwire.entry.cli.server.demo_setup import COLLECTION
from groundwire.entry.cli.server.demo_welcome import FINANCE, QUESTION, SALES, SampleUser

EXAMPLES: Final = examples("groundwire connect --port 8080")


def connect(port: Annotated[int, typer.Option(min=1, max=65535, help="Port of the demo's server.")] = 8080) -> None:
    """Print the lines that connect clients to the demo: curl, Claude Code, VS Code and other systems.

    Raises:
        NotFound: no demo was started with this home.
    """
    home = wiring.local_services().settings.home
    keys = stored_keys(home)
    if keys is None:
        raise NotFound(f"{home} has no keys of a demo: run `groundwire demo` first.")
    url = f"http://127.0.0.1:{port}"
    for user in (SALES, FINANCE):
        OUT.print(f"An agent that asks for somebody in {user.description}:", style="bold")
        print_line(curl_command(url, keys.act_as, user))
    OUT.print("A client of one person:", style="bold")
    print_line(f"Claude Code  {claude_code_command(url, keys.personal)}")
    print_line(f"VS Code      .vscode/mcp.json: {vscode_config(url, keys.personal)}")
    print_line(f"Any client   Streamable HTTP at {url}/mcp with the header  Authorization: Bearer {keys.personal}")
    OUT.print("Clients of Foundry Local, Vertex AI, Azure AI Search and OpenSearch:", style="bold")
    print_line(foundry_command(url, keys.personal))
    print_line(vertex_command(url, keys.personal))
    print_line(azure_command(url, keys.personal))
    print_line(opensearch_command(url, keys.personal))


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
