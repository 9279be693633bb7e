"""Targets of retrieval: stored agents and knowledge bases, and those that every collection is."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from groundwire.dialects.azure.agentic_search import RetrievalTarget, SearchedSource
from groundwire.dialects.azure.definitions.members import INDEX_PARAMETERS
from groundwire.dialects.azure.definitions.models import model_deployments
from groundwire.dialects.azure.definitions.stored_definitions import NamedSource, StoredDefinitions, named_sources
from groundwire.dialects.azure.errors import not_found
from groundwire.dialects.azure.requests.retrieve_request import DEFAULT_OUTPUT_TOKENS, MAX_DOCUMENTS
from groundwire.dialects.azure.versions import ApiVersion

if TYPE_CHECKING:
    from groundwire.dialects.azure.requests.resource_paths import ResourcePath
    from groundwire.dialects.declaration.services import DialectServices
    from groundwire.services.call_context import CallContext
    from groundwire.services.definitions.body import JsonBody


class Targets:
    """Finder of what a path names: one read for the definition, and one for each of its sources."""

    def __init__(self, services: "DialectServices") -> None:
        self._services = services
        self._stored = StoredDefinitions(services)

    def find(self, call: "CallContext", path: "ResourcePath", version: ApiVersion) -> RetrievalTarget:
        """Return the target of a path: a stored definition, else the collection of its name.

        Raises:
            AzureError: the path has no name.
        """
        if path.name is None:
            raise not_found(path.kind.title, "")
        found = self._stored.find(call, path.kind, path.name)
        if found is None:
            # Whether the collection exists for the caller shows in what is found in it.
            return RetrievalTarget(path.kind, path.name, (SearchedSource(path.name, path.name),), is_defined=False)
        named = named_sources(found.body, lambda name: self._stored.find_source(call, name))
        return RetrievalTarget(
            path.kind,
            path.name,
            self._sources(call, named, version),
            is_defined=True,
            max_tokens=cast("int | None", _object(found.body, "requestLimits").get("maxOutputSize"))
            or DEFAULT_OUTPUT_TOKENS,
            includes_activity=_object(found.body, "outputConfiguration").get("includeActivity") is not False,
            effort=cast("str | None", _object(found.body, "retrievalReasoningEffort").get("kind")),
            models=model_deployments(
                found.body, lambda: self._services.sources.definition_admin.open_secrets(call, found)
            ),
        )

    def _sources(self, call: "CallContext", named: Sequence[NamedSource], version: ApiVersion) -> list[SearchedSource]:
        """Return the sources that the caller may know of.

        The name of a collection is for those for whom the collection exists; stored sources exist for every key.
        """
        by_index = version is ApiVersion.MAY_2025
        secret = [each.collection for each in named if by_index or each.definition is None]
        existing = (
            self._services.reading.readable_collections.existing(call.caller, secret) if secret else frozenset[str]()
        )
        found: dict[str, SearchedSource] = {}
        for each in named:
            name = each.collection if by_index else each.name
            if each.collection in existing or (each.definition is not None and not by_index):
                found.setdefault(name, _searched(each, name))
            elif each.is_deleted:
                found.setdefault(name, SearchedSource(each.name, each.collection, is_deleted=True))
        return list(found.values())


def _searched(source: NamedSource, name: str) -> SearchedSource:
    entry, parameters = source.entry, _object(source.definition or {}, INDEX_PARAMETERS)
    documents = cast("int | None", entry.get("maxDocsForReranker"))
    return SearchedSource(
        name,
        source.collection,
        data_fields=_field_names(parameters, "sourceDataFields"),
        threshold=cast("float | None", entry.get("rerankerThreshold")),
        # A definition may hold more, as the documentation's own example does.
        max_documents=None if documents is None else min(documents, MAX_DOCUMENTS),
        includes_source_data=entry.get("includeReferenceSourceData") is True,
        includes_references=entry.get("includeReferences") is not False,
        search_fields=_field_names(parameters, "searchFields") or (),
    )


def _field_names(parameters: "JsonBody", member: str) -> list[str] | None:
    """Return the names of fields; None without any."""
    return [str(each["name"]) for each in cast("list[JsonBody]", parameters.get(member) or [])] or None


def _object(body: "JsonBody", member: str) -> "JsonBody":
    return cast("JsonBody", body.get(member) or {})
