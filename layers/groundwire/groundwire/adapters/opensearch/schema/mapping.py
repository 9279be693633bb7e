"""Mapping of an index: the type of each field, and the metadata that identifies schema and model."""

from collections.abc import Collection, Mapping
from typing import Any, Final, cast

from groundwire.adapters.opensearch.schema.analysis import ANALYZERS, analysis
from groundwire.adapters.opensearch.schema.vectors import vector_types
from groundwire.adapters.opensearch.service_rules import ServiceRules
from groundwire.domain import errors
from groundwire.ports import ModelId

SCHEMA_VERSION: Final = 1
"""Version of the fields below; an index of another version is not written."""

TEXT_FIELD_PREFIX: Final = "text_"
"""Prefix of a language's field in rows of an earlier release."""

_KEYWORD: Final = {"type": "keyword"}
_INTEGER: Final = {"type": "integer"}
_BOOLEAN: Final = {"type": "boolean"}

FIELDS: Final[Mapping[str, Any]] = {
    "row": _KEYWORD,
    "kind": _KEYWORD,
    "number": _INTEGER,
    "windows": _INTEGER,
    "digest": _KEYWORD,
    "rule": _KEYWORD,
    "written": _KEYWORD,
    "uid": _KEYWORD,
    "doc_id": _KEYWORD,
    "version": _INTEGER,
    "ordinal": _INTEGER,
    "collection": _KEYWORD,
    "page_first": _INTEGER,
    "page_last": _INTEGER,
    "public": _BOOLEAN,
    "users": _KEYWORD,
    "any_tags": _KEYWORD,
    "all_tags": _KEYWORD,
    "has_any_tags": _BOOLEAN,
    "all_tags_count": _INTEGER,
    "has_ceiling": _BOOLEAN,
    "ceiling_public": _BOOLEAN,
    "ceiling_users": _KEYWORD,
    "ceiling_any_tags": _KEYWORD,
    "ceiling_all_tags": _KEYWORD,
    "ceiling_has_any_tags": _BOOLEAN,
    "ceiling_all_tags_count": _INTEGER,
    "metadata": _KEYWORD,
    "language": _KEYWORD,
    "analyzer": _KEYWORD,
    "weights": {"type": "rank_features"},
    "segment": {"type": "object", "enabled": False},
    "packed_segment": {"type": "binary", "doc_values": True},
}
"""Types of the fields; `rows` describes their content."""

_TEXT_FIELDS: Final[Mapping[str, Any]] = {
    # Positions would serve quoted phrases, which no query contains.
    f"{TEXT_FIELD_PREFIX}{language}": {"type": "text", "analyzer": analyzer, "index_options": "freqs"}
    for language, analyzer in ANALYZERS.items()
}
"""Text fields of earlier releases by name."""


def index_body(rules: ServiceRules, model: ModelId) -> dict[str, Any]:
    """Return the request body that creates an index for vectors of `model`."""
    return {
        "settings": {"index": {"knn": True, **rules.settings}, "analysis": analysis()},
        "mappings": {
            "_meta": _meta(model),
            # For the previous release, which leaves these fields of its rows to the service.
            "dynamic_templates": [{name: {"match": name, "mapping": field}} for name, field in _TEXT_FIELDS.items()],
            "properties": {**FIELDS, **vector_types(model, rules.vector_field)},
        },
    }


def refused_ids_body(model: ModelId) -> dict[str, Any]:
    """Return the request body by which an index remembers that the service assigns the ids of its rows.

    The service replaces `_meta` as a whole, and an earlier release ignores the member that is added.
    """
    return {"_meta": {**_meta(model), "groundwire": {"custom_ids": False}}}


def remembers_refused_ids(mapping: Mapping[str, Any]) -> bool:
    """Return whether the service refused an id that a writer of this index chose."""
    meta = cast("Mapping[str, Any]", mapping.get("_meta", {}))
    return meta.get("groundwire", {}).get("custom_ids") is False


def check_mapping(name: str, mapping: Mapping[str, Any], model: ModelId) -> None:
    """Check that the index has this schema and model.

    Raises:
        Conflict: another version of Groundwire made it, or it is of another model.
    """
    meta = cast("Mapping[str, Any]", mapping.get("_meta", {}))
    if meta.get("schema") != SCHEMA_VERSION:
        raise errors.Conflict(
            f"The index {name} was made by another version of Groundwire (schema {meta.get('schema')}, "
            f"not {SCHEMA_VERSION}).",
            remedy="rebuild_index",
        )
    if (meta.get("model"), meta.get("dimension")) != (model.name, model.dimension):
        raise errors.Conflict(
            f"The index {name} holds vectors of {meta.get('model')} ({meta.get('dimension')} dimensions), "
            f"not of {model.name} ({model.dimension} dimensions).",
            remedy="rebuild_index",
        )


def fields_body(names: Collection[str]) -> dict[str, Any]:
    """Return the request body that adds these fields; an existing field stays as it is."""
    return {"properties": {name: FIELDS[name] for name in sorted(names)}}


def _meta(model: ModelId) -> dict[str, Any]:
    return {"schema": SCHEMA_VERSION, "model": model.name, "dimension": model.dimension}
