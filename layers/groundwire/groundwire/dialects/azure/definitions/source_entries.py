"""Sources of agents and knowledge bases as they are stored: one form for all versions.

An agent of 2025-05-01-preview names an index, a later one names knowledge sources. Both are entries here. For the later
version an index is the knowledge source of its name. For the earlier one a knowledge source is the index that it
searches. `defaultRerankerThreshold` is `rerankerThreshold`, `defaultIncludeReferenceSourceData` is
`includeReferenceSourceData`. `defaultMaxDocsForReranker` has no name in the later version, and `includeReferences`,
`alwaysQuerySource` and `maxSubQueries` have none in the earlier one: they stay in force and are not shown.
"""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Final, cast

from groundwire.dialects.azure.errors import AzureError, invalid_parameter
from groundwire.dialects.azure.requests.retrieve_request import MAX_RERANKER_SCORE
from groundwire.domain.documents.ids import is_doc_id

if TYPE_CHECKING:
    from groundwire.dialects.azure.requests.members import Members
    from groundwire.domain.keys.caller import Caller
    from groundwire.services.definitions.body import JsonBody

MAX_SOURCES: Final = 10
"""Sources of one agent or knowledge base: each one is a search of every retrieval."""
# The clients of 2025-08-01-preview document these bounds of `maxSubQueries`.
_SUBQUERIES: Final = range(2, 41)
_DOCUMENTS: Final = range(1, 10_001)


class SourceOrigin(StrEnum):
    """Kind of thing that an entry named when it was written; the values are stored.

    An index is a collection whatever knowledge source has its name. A collection is the built-in knowledge source of
    its name, unless a stored one hides it. A source was stored; without it the entry is an error.
    """

    INDEX = "index"
    COLLECTION = "collection"
    SOURCE = "source"


def index_entries(given: "Sequence[Members]", caller: "Caller") -> "list[JsonBody]":
    """Return the entries of `targetIndexes`.

    Raises:
        AzureError: there is not exactly one, or its index is no collection that the key reaches.
    """
    if len(given) != 1:
        raise invalid_parameter("targetIndexes must have exactly one entry.")
    members, path = given[0], "targetIndexes[0]"
    name = str(members["indexName"])
    check_collection(name, caller, f"{path}.indexName")
    _check_threshold(members, path, "defaultRerankerThreshold")
    _check_range(members, path, "defaultMaxDocsForReranker", _DOCUMENTS)
    return [
        _entry(
            name=name,
            origin=SourceOrigin.INDEX.value,
            rerankerThreshold=members.get("defaultRerankerThreshold"),
            includeReferenceSourceData=members.get("defaultIncludeReferenceSourceData"),
            maxDocsForReranker=members.get("defaultMaxDocsForReranker"),
        )
    ]


def source_entries(given: "Sequence[Members]", caller: "Caller", is_stored: Callable[[str], bool]) -> "list[JsonBody]":
    """Return the entries of `knowledgeSources`.

    Raises:
        AzureError: one is neither a stored source nor a collection that the key reaches, or is there twice.
    """
    if not 0 < len(given) <= MAX_SOURCES:
        raise invalid_parameter(f"knowledgeSources must have 1 to {MAX_SOURCES} entries.")
    names = [str(each["name"]) for each in given]
    if len(set(names)) < len(names):
        raise invalid_parameter("knowledgeSources names a source twice: leave one out.")
    entries: list[JsonBody] = []
    for at, (members, name) in enumerate(zip(given, names, strict=True)):
        path = f"knowledgeSources[{at}]"
        _check_threshold(members, path, "rerankerThreshold")
        _check_range(members, path, "maxSubQueries", _SUBQUERIES)
        entries.append({**_entry(**members), "origin": _origin(name, caller, is_stored, path).value})
    return entries


def check_collection(name: str, caller: "Caller", path: str) -> None:
    """Check that a name is one of a collection that the key reaches.

    Raises:
        AzureError: it is not; the error does not depend on whether there is such a collection.
    """
    if not _is_reached(name, caller):
        raise invalid_parameter(
            f"{path}: there is no index {name[:128]!r}, or this key may not use it: name a collection."
        )


def index_view(entry: Mapping[str, object], collection: str) -> "Members":
    """Return an entry as one of `targetIndexes`."""
    return {
        "indexName": collection,
        "defaultRerankerThreshold": entry.get("rerankerThreshold"),
        "defaultIncludeReferenceSourceData": entry.get("includeReferenceSourceData"),
        "defaultMaxDocsForReranker": entry.get("maxDocsForReranker"),
    }


def _origin(name: str, caller: "Caller", is_stored: Callable[[str], bool], path: str) -> SourceOrigin:
    if is_doc_id(name) and is_stored(name):
        return SourceOrigin.SOURCE
    if not _is_reached(name, caller):
        raise invalid_parameter(
            f"{path}.name: there is no knowledge source {name[:128]!r}: create it first, or name a "
            "collection that this key may use."
        )
    return SourceOrigin.COLLECTION


def _is_reached(name: str, caller: "Caller") -> bool:
    return is_doc_id(name) and caller.allows_collection(name)


def _entry(**members: object) -> "JsonBody":
    return cast("JsonBody", {name: value for name, value in members.items() if value is not None})


def _check_threshold(members: "Members", path: str, name: str) -> None:
    value = members.get(name)
    if isinstance(value, (int, float)) and not 0 <= value <= MAX_RERANKER_SCORE:
        raise invalid_parameter(f"{path}.{name} must be between 0 and 4.")


def _check_range(members: "Members", path: str, name: str, allowed: range) -> None:
    value = members.get(name)
    if isinstance(value, int) and value not in allowed:
        raise _out_of_range(f"{path}.{name}", allowed)


def _out_of_range(path: str, allowed: range) -> AzureError:
    return invalid_parameter(f"{path} must be between {allowed[0]} and {allowed[-1]}.")
