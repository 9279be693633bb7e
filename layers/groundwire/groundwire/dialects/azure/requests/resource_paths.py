"""Paths of resources: `/agents/n/retrieve` as the documentation writes them, and `/agents('n')/retrieve` of clients.

A name in parentheses is a part of one segment, so that the gateway leads it here by a route with a parameter.
"""

import re
from enum import StrEnum
from typing import Final, NamedTuple

from groundwire.dialects.azure.versions import AGENTS, KNOWLEDGE_BASES, KNOWLEDGE_SOURCES, STATUS, Versions


class ResourceKind(StrEnum):
    """Kind of resource, by its segment of the path."""

    AGENT = "agents"
    KNOWLEDGE_BASE = "knowledgebases"
    KNOWLEDGE_SOURCE = "knowledgesources"

    @property
    def title(self) -> str:  # type: ignore[override]
        """Name in error messages."""
        return {"agents": "Agent", "knowledgebases": "Knowledge Base"}.get(self.value, "Knowledge Source")

    @property
    def versions(self) -> Versions:
        """Versions of the API that have such resources."""
        return {"agents": AGENTS, "knowledgebases": KNOWLEDGE_BASES}.get(self.value, KNOWLEDGE_SOURCES)


class Operation(StrEnum):
    """Last segment of a path, beside a name."""

    RETRIEVE = "retrieve"
    MCP = "mcp"
    STATUS = "status"


class ResourcePath(NamedTuple):
    """Resource or operation that a path names.

    Attributes:
        name: None: all resources of the kind. operation: None: the resource itself.
    """

    kind: ResourceKind
    name: str | None
    operation: Operation | None


_KINDS: Final = {kind.value: kind for kind in ResourceKind} | {
    "knowledge-sources": ResourceKind.KNOWLEDGE_SOURCE,
    "knowledgeSources": ResourceKind.KNOWLEDGE_SOURCE,
}
_OPERATIONS: Final = {
    ResourceKind.AGENT: frozenset({Operation.RETRIEVE}),
    ResourceKind.KNOWLEDGE_BASE: frozenset({Operation.RETRIEVE, Operation.MCP}),
    ResourceKind.KNOWLEDGE_SOURCE: frozenset({Operation.STATUS}),
}
OPERATION_VERSIONS: Final = {Operation.STATUS: STATUS}
"""Versions of operations that not every version of their resource has."""
_PATH: Final = re.compile(
    r"/(?P<kind>[A-Za-z-]+)(?:\('(?P<quoted>.*)'\)|/(?P<plain>[^/]+))?(?:/(?P<operation>retrieve|mcp|status))?",
    re.DOTALL,
)


def parse_path(path: str) -> ResourcePath | None:
    """Return what a decoded path names; None where it is no path of this dialect.

    A name in parentheses may hold a slash or a quote, which no name of this server has, so it is unknown.
    """
    found = _PATH.fullmatch(path)
    kind = None if found is None else _KINDS.get(found["kind"])
    if found is None or kind is None:
        return None
    name = found["plain"] if found["quoted"] is None else found["quoted"].replace("''", "'")
    operation = None if found["operation"] is None else Operation(found["operation"])
    if operation is not None and (not name or operation not in _OPERATIONS[kind]):
        return None
    return None if name == "" else ResourcePath(kind, name, operation)
