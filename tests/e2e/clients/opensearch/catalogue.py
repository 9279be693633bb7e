"""The clients of the matrix: what each is, and where it lives."""

from dataclasses import dataclass
from typing import Final

PARTS: Final = (
    "tools",
    "list",
    "mapping",
    "search",
    "csv",
    "count",
    "msearch",
    "vector",
    "health",
    "shards",
    "explain",
    "writes",
    "headers",
    "errors",
    "rights",
    "wire",
)
"""Calls of a client, each a column of the table."""


@dataclass(frozen=True, slots=True)
class OpenSearchClient:
    """A client of OpenSearch.

    Attributes:
        package: what is measured, as its registry calls it; its version stands in the lock.
        environment: a folder of `locks`.
        script: a file of `opensearch/scripts`.
        lacks: parts for which the client has no call.
        mode: scheme of the key, where the script has several.
        often: runs with the tests.
    """

    name: str
    package: str
    environment: str
    script: str
    lacks: frozenset[str]
    mode: str = ""
    often: bool = False

    @property
    def title(self) -> str:
        """Name in tables of these clients alone."""
        return self.name.removeprefix("OpenSearch: ")

    @property
    def parts(self) -> tuple[str, ...]:
        """Parts that the client has."""
        return tuple(part for part in PARTS if part not in self.lacks)

    @property
    def is_of_engine(self) -> bool:
        """Whether it speaks to the REST interface, and not to the MCP server."""
        return self.package == ENGINE_CLIENT


ENGINE_CLIENT: Final = "opensearch-mcp-server-py"
_ENGINE: Final = (ENGINE_CLIENT, "opensearch-mcp")
_NO_TOOL: Final = frozenset({"vector"})
_OF_ENGINE: Final = frozenset({"csv", "msearch", "health", "shards", "explain", "writes", "headers"})

OPENSEARCH_CLIENTS: Final = (
    OpenSearchClient("OpenSearch: its MCP client, stdio", *_ENGINE, "over_stdio.py", _NO_TOOL, often=True),
    OpenSearchClient(
        "OpenSearch: its MCP client, stream, Bearer", *_ENGINE, "over_http.py", _NO_TOOL, "Bearer", often=True
    ),
    OpenSearchClient("OpenSearch: its MCP client, stream, Basic", *_ENGINE, "over_http.py", _NO_TOOL, "Basic"),
    OpenSearchClient("OpenSearch: fastmcp, script of the page", "fastmcp", "fastmcp", "fast_mcp.py", _OF_ENGINE),
    OpenSearchClient("OpenSearch: Python mcp 2.3", "mcp", "mcp-2.3", "mcp_2.py", _OF_ENGINE, often=True),
)
