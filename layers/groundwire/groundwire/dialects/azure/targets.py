"""Targets of retrieval."""

from groundwire.dialects.azure.agentic_search import RetrievalTarget, SearchedSource
from groundwire.dialects.azure.errors import not_found
from groundwire.dialects.azure.resource_paths import ResourcePath


def find_target(path: ResourcePath) -> RetrievalTarget:
    """Return what a path names: each collection is an agent and a knowledge base of its name, with one source."""
    if path.name is None:
        raise not_found(path.kind.title, "")
    return RetrievalTarget(path.kind, path.name, (SearchedSource(path.name, path.name),), is_defined=False)
