"""Reading of definitions: stored ones, and those that every collection is for the callers for whom it exists."""

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from groundwire.dialects.azure.definitions.definition_view import (
    JsonObject,
    built_in_body,
    definition_view,
    readable_body,
    with_tag,
)
from groundwire.dialects.azure.definitions.stored_definitions import (
    NamedSource,
    StoredDefinitions,
    named_sources,
    source_collection,
)
from groundwire.dialects.azure.errors import not_found
from groundwire.dialects.azure.requests.resource_paths import ResourceKind
from groundwire.dialects.azure.requests.retrieve_request import SEARCH_INDEX
from groundwire.domain.access.scopes import Scope

if TYPE_CHECKING:
    from groundwire.dialects.azure.versions import ApiVersion
    from groundwire.dialects.declaration.services import DialectServices
    from groundwire.services.call_context import CallContext
    from groundwire.services.definitions.admin import Definition
    from groundwire.services.definitions.body import JsonBody

# The members and nulls are those of a recorded answer for a search index.
_STATUS: Final = {
    "kind": SEARCH_INDEX,
    "synchronizationStatus": "active",
    "synchronizationInterval": None,
    "currentSynchronizationState": None,
    "lastSynchronizationState": None,
    "statistics": None,
}


class DefinitionsOfKind(NamedTuple):
    """Selection of definitions: the caller, the kind of resource, and the API version of their form."""

    call: "CallContext"
    kind: ResourceKind
    version: "ApiVersion"


class DefinitionReader:
    """Reader of definitions for a caller."""

    def __init__(self, services: "DialectServices") -> None:
        self._services = services
        self._stored = StoredDefinitions(services)

    def find(self, wanted: DefinitionsOfKind, name: str) -> tuple[JsonObject, "Definition | None"]:
        """Return the view of one definition, and the stored definition unless it is a built-in one.

        Raises:
            AzureError: there is none that exists for the caller.
        """
        call, kind, version = wanted
        # Agent Framework reads definitions with the agent's key before it retrieves.
        found = self._stored.find(call, kind, name)
        if found is None:
            self._check_built_in(call, kind, name)
            return definition_view(kind, built_in_body(kind, name), version, ()), None
        return self.view(wanted, found), found

    def view(self, wanted: DefinitionsOfKind, found: "Definition") -> JsonObject:
        """Return the view of a stored definition."""
        call = wanted.call

        def find_source(name: str) -> "JsonBody | None":
            return self._stored.find_source(call, name)

        def existing(names: Collection[str]) -> Collection[str]:
            return self._services.reading.readable_collections.existing(call.caller, sorted(names))

        return _view(wanted, found, find_source, existing)

    def list_all(self, wanted: DefinitionsOfKind) -> list[JsonObject]:
        """Return the views of all definitions that exist for the caller, by name."""
        call, kind, version = wanted
        stored = self._stored.list_all(call, kind)
        collections = frozenset(each.name for each in self._services.reading.readable_collections.all(call.caller))
        sources: Mapping[str, JsonBody] = {}
        if stored and kind is not ResourceKind.KNOWLEDGE_SOURCE:
            sources = self._stored.list_sources(call)
        views = {each.name: _view(wanted, each, sources.get, lambda _names: collections) for each in stored}
        for name in collections - views.keys():
            views[name] = definition_view(kind, built_in_body(kind, name), version, ())
        return [views[name] for name in sorted(views)]

    def find_status(self, call: "CallContext", name: str) -> JsonObject:
        """Return the status of a knowledge source: an index is always synchronized with itself.

        Raises:
            AzureError: there is none that exists for the caller.
        """
        kind = ResourceKind.KNOWLEDGE_SOURCE
        if self._stored.find(call, kind, name) is None:
            self._check_built_in(call, kind, name)
        return dict(_STATUS)

    def _check_built_in(self, call: "CallContext", kind: ResourceKind, name: str) -> None:
        if not self._services.reading.readable_collections.existing(call.caller, [name]):
            raise not_found(kind.title, name)


def _view(
    wanted: DefinitionsOfKind,
    found: "Definition",
    find_source: "Callable[[str], JsonBody | None]",
    existing: Callable[[Collection[str]], Collection[str]],
) -> JsonObject:
    call, kind, version = wanted
    body, sources, collections = found.body, list[NamedSource](), set[str]()
    if kind is ResourceKind.KNOWLEDGE_SOURCE:
        collections.add(source_collection(body))
    else:
        sources = named_sources(body, find_source)
        collections.update(each.collection for each in sources)
    # The scope alone is not enough: a key for some collections must not learn the names of others.
    is_administered = Scope.ADMIN in call.caller.scopes and all(map(call.caller.allows_collection, collections))
    if not is_administered:
        body = readable_body(kind, body, sources, existing(collections))
    return with_tag(definition_view(kind, body, version, sources), found)
