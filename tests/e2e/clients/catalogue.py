"""The clients of the matrix: what each is, and where it lives."""

from dataclasses import dataclass, replace
from typing import Final

from tests.e2e.clients.interfaces import DEFAULT, FOUNDRY, Interface


@dataclass(frozen=True, slots=True)
class Client:
    """A client in one of its modes.

    Attributes:
        package: what is measured, as its registry calls it; its version stands in the lock.
        environment: a folder of `locks`.
        script: a file of `scripts`.
        mode: how it is to open, for the script; empty where it has one way only.
        wire: the protocol version in which it calls, with this server.
        interface: what it meets.
        often: runs with the tests: small to install, quick, and together they speak every version.
    """

    name: str
    package: str
    environment: str
    script: str
    wire: str
    mode: str = ""
    often: bool = False
    interface: Interface = DEFAULT


_MODERN: Final = "2026-07-28"
_LATEST_HANDSHAKE: Final = "2025-11-25"
_INSPECTOR: Final = ("@modelcontextprotocol/inspector", "inspector", "inspector.py")
_TS_CLIENT: Final = ("@modelcontextprotocol/client", "ts-client-2.4", "ts_client.mjs")

CLIENTS: Final = (
    Client("Python mcp 2.3, auto", "mcp", "mcp-2.3", "mcp_2.py", _MODERN, "auto", often=True),
    Client("Python mcp 2.3, legacy", "mcp", "mcp-2.3", "mcp_2.py", _LATEST_HANDSHAKE, "legacy", often=True),
    Client("Python mcp 1.30", "mcp", "mcp-1.30", "mcp_1.py", _LATEST_HANDSHAKE),
    Client("Python mcp 1.12", "mcp", "mcp-1.12", "mcp_1.py", "2025-06-18"),
    Client("Python mcp 1.9", "mcp", "mcp-1.9", "mcp_1.py", "2025-03-26", often=True),
    Client("fastmcp", "fastmcp", "fastmcp", "fast_mcp.py", _MODERN),
    Client(
        "TypeScript sdk 1.32", "@modelcontextprotocol/sdk", "ts-sdk-1.32", "ts_sdk.mjs", _LATEST_HANDSHAKE, often=True
    ),
    Client("TypeScript client 2.4, auto", *_TS_CLIENT, _MODERN, "auto", often=True),
    Client("TypeScript client 2.4, legacy", *_TS_CLIENT, _LATEST_HANDSHAKE, "legacy"),
    Client("inspector --strict, legacy", *_INSPECTOR, _LATEST_HANDSHAKE, "legacy", often=True),
    Client("inspector --strict, modern", *_INSPECTOR, _MODERN, "modern"),
    Client("mcp-remote", "mcp-remote", "mcp-remote", "mcp_remote.mjs", _MODERN, "auto"),
    Client("LangChain", "langchain-mcp-adapters", "langchain", "langchain.py", _LATEST_HANDSHAKE),
    Client("LlamaIndex", "llama-index-tools-mcp", "llama-index", "llama_index.py", _LATEST_HANDSHAKE),
    Client("OpenAI Agents", "openai-agents", "openai-agents", "openai_agents.py", _MODERN),
    Client("Strands", "strands-agents", "strands", "strands_agents.py", _MODERN),
)
_OF_FOUNDRY: Final = (
    "Python mcp 2.3, auto",
    "Python mcp 2.3, legacy",
    "Python mcp 1.30",
    "fastmcp",
    "TypeScript sdk 1.32",
    "TypeScript client 2.4, auto",
)
FOUNDRY_CLIENTS: Final = tuple(
    replace(client, name=f"Foundry Local: {client.name}", interface=FOUNDRY)
    for client in CLIENTS
    if client.name in _OF_FOUNDRY
)
"""Clients of Foundry Local's route."""
OFTEN: Final = tuple(client for client in (*CLIENTS, *FOUNDRY_CLIENTS) if client.often)
