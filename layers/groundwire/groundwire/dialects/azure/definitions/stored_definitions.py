"""Stored definitions by the kinds of this dialect's paths, and the sources that agents and knowledge bases name."""

from typing import TYPE_CHECKING, Final, NamedTuple, cast

from groundwire.dialects.azure.definitions.members import INDEX_PARAMETERS, SOURCES
from groundwire.dialects.azure.definitions.source_entries import SourceOrigin
from groundwire.dialects.azure.requests.resource_paths import ResourceKind
from groundwire.domain.documents.ids import is_doc_id
from groundwire.domain.errors import NotFound
from groundwire.ports.definitions import DefinitionKind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from groundwire.dialects.declaration.services import DialectServices
    from groundwire.services.call_context import CallContext
    from groundwire.services.definitions.admin import Definition
    from groundwire.services.definitions.body import JsonBody

KINDS: Final = {
    ResourceKind.AGENT: DefinitionKind.AGENT,
    ResourceKind.KNOWLEDGE_BASE: DefinitionKind.KNOWLEDGE_BASE,
    ResourceKind.KNOWLEDGE_SOURCE: DefinitionKind.KNOWLEDGE_SOURCE,
}
"""Kinds as they are stored."""


class NamedSource(NamedTuple):
    """Source that an agent or a knowledge base names.

    Attributes:
        entry: as stored with the agent or knowledge base.
        definition: body of the stored source; None: the source is a collection.
        is_deleted: the entry named a stored source that was deleted; a collection of its name stands in for it.
    """

    name: str
    entry: "JsonBody"
    collection: str
    definition: "JsonBody | None"
    is_deleted: bool


class StoredDefinitions:
    """Reader of stored definitions."""

    def __init__(self, services: "DialectServices") -> None:
        self._services = services

    def find(self, call: "CallContext", kind: ResourceKind, name: str) -> "Definition | None":
        """Return the definition, or None."""
        # A name in a path can have any character; no definition can be stored under such a name.
        if not is_doc_id(name):
            return None
        try:
            return self._services.sources.definition_admin.find(call, KINDS[kind], name)
        except NotFound:
            return None

    def collections(self, call: "CallContext", kind: ResourceKind, body: "JsonBody") -> frozenset[str]:
        """Return the collections that a definition searches."""
        if kind is ResourceKind.KNOWLEDGE_SOURCE:
            return frozenset({source_collection(body)})

        def find_source(name: str) -> "JsonBody | None":
            return self.find_source(call, name)

        return frozenset(each.collection for each in named_sources(body, find_source))

    def list_all(self, call: "CallContext", kind: ResourceKind) -> "Sequence[Definition]":
        """Return all definitions of the kind, by name."""
        return self._services.sources.definition_admin.list_all(call, KINDS[kind])

    def find_source(self, call: "CallContext", name: str) -> "JsonBody | None":
        """Return the body of a knowledge source, or None."""
        found = self.find(call, ResourceKind.KNOWLEDGE_SOURCE, name)
        return None if found is None else found.body

    def list_sources(self, call: "CallContext") -> "Mapping[str, JsonBody]":
        """Return the bodies of all knowledge sources by name."""
        return {each.name: each.body for each in self.list_all(call, ResourceKind.KNOWLEDGE_SOURCE)}


def named_sources(body: "JsonBody", find_source: "Callable[[str], JsonBody | None]") -> list[NamedSource]:
    """Return the sources of an agent or a knowledge base as they are now."""
    return [_named(entry, find_source) for entry in cast("list[JsonBody]", body[SOURCES])]


def source_collection(body: "JsonBody") -> str:
    """Return the collection that a knowledge source searches."""
    return str(cast("JsonBody", body[INDEX_PARAMETERS])["searchIndexName"])


def _named(entry: "JsonBody", find_source: "Callable[[str], JsonBody | None]") -> NamedSource:
    name, origin = str(entry["name"]), entry["origin"]
    found = None if origin == SourceOrigin.INDEX else find_source(name)
    if found is not None:
        return NamedSource(name, entry, source_collection(found), found, is_deleted=False)
    return NamedSource(name, entry, name, None, is_deleted=origin == SourceOrigin.SOURCE)
