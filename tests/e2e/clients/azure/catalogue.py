"""The clients of the matrix: what each is, and where it lives."""

from dataclasses import dataclass
from typing import Final

PARTS: Final = (
    "question",
    "filter",
    "threshold",
    "data",
    "messages",
    "intents",
    "errors",
    "stream",
    "definitions",
    "sources",
    "partial",
    "wire",
)
"""Calls of a client, each a column of the table."""
_NO_STREAM: Final = frozenset({"stream"})


@dataclass(frozen=True, slots=True)
class AzureClient:
    """A client of Azure AI Search.

    Attributes:
        package: what is measured, as its registry calls it; its version stands in the lock.
        environment: a folder of `locks`.
        script: a file of `azure/scripts`.
        version: of the API, as the client names it.
        lacks: parts for which the client has no call.
        shows_searches: it keeps the members of the activity's searches.
        often: runs with the tests: small to install, quick, and together they speak both forms of the API.
    """

    name: str
    package: str
    environment: str
    script: str
    version: str
    lacks: frozenset[str] = _NO_STREAM
    shows_searches: bool = True
    often: bool = False

    @property
    def title(self) -> str:
        """Name in tables of these clients alone."""
        return self.name.removeprefix("Azure: ")

    @property
    def parts(self) -> tuple[str, ...]:
        """Parts that the client has."""
        return tuple(part for part in PARTS if part not in self.lacks)


_PYTHON: Final = "azure-search-documents"
_NODE: Final = "@azure/search-documents"
_AGENTS: Final = frozenset({"intents", "partial", "stream"})
_RUN: Final = frozenset({"partial", "stream"})

AZURE_CLIENTS: Final = (
    AzureClient(
        "Azure: Python 11.6.0b12",
        _PYTHON,
        "azure-11.6.0b12",
        "agents.py",
        "2025-05-01-preview",
        _AGENTS | {"sources"},
        often=True,
    ),
    AzureClient("Azure: Python 11.7.0b1", _PYTHON, "azure-11.7.0b1", "agents.py", "2025-08-01-preview", _AGENTS),
    AzureClient("Azure: Python 11.7.0b2", _PYTHON, "azure-11.7.0b2", "bases.py", "2025-11-01-preview"),
    AzureClient("Azure: Python 12.0", _PYTHON, "azure-12.0", "bases.py", "2026-04-01", _NO_STREAM | {"messages"}),
    AzureClient("Azure: Python 12.1.0b1", _PYTHON, "azure-12.1.0b1", "bases.py", "2026-05-01-preview"),
    AzureClient(
        "Azure: Python 12.1.0b2",
        _PYTHON,
        "azure-12.1.0b2",
        "bases.py",
        "2026-08-01-preview",
        frozenset(),
        often=True,
    ),
    AzureClient("Azure: npm 12.3", _NODE, "azure-node-12.3", "node.mjs", "2025-11-01-Preview"),
    AzureClient(
        "Azure: npm 13.0",
        _NODE,
        "azure-node-13.0",
        "node.mjs",
        "2026-04-01",
        _NO_STREAM | {"messages"},
        shows_searches=False,
        often=True,
    ),
    AzureClient(
        "Azure: Agent Framework, 12.0",
        "agent-framework-azure-ai-search",
        "azure-agent-framework",
        "context_provider.py",
        "2026-04-01",
        _RUN | {"messages"},
        shows_searches=False,
    ),
    AzureClient(
        "Azure: Agent Framework, 12.1",
        "agent-framework-azure-ai-search",
        "azure-agent-framework-preview",
        "context_provider.py",
        "2026-08-01-preview",
        _RUN,
        shows_searches=False,
    ),
)
