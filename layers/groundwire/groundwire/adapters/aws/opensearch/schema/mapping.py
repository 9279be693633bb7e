"""What an index is made with: the type of each field, and what it says of itself."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final, cast

from groundwire.adapters.aws.opensearch.schema.analysis import LANGUAGES, analysis
from groundwire.adapters.aws.opensearch.service_rules import ServiceRules
from groundwire.domain import errors
from groundwire.ports import ModelId

SCHEMA_VERSION: Final = 1
"""Of the fields below; an index of another one is not written."""

TEXT_FIELD_PREFIX: Final = "text_"
"""Begins the field of each language: only those of which there is text exist, as a search asks every one."""

_KEYWORD: Final = {"type": "keyword"}
_INTEGER: Final = {"type": "integer"}
_BOOLEAN: Final = {"type": "boolean"}

_FIELDS: Final[Mapping[str, Any]] = {
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
    "metadata": _KEYWORD,
    "segment": {"type": "object", "enabled": False},
}
"""`rows` says what each holds."""

_TEXT_FIELDS: Final[Mapping[str, Any]] = {
    # Positions would serve quoted phrases, which nothing asks for.
    f"{TEXT_FIELD_PREFIX}{language}": {"type": "text", "analyzer": language, "index_options": "freqs"}
    for language in LANGUAGES
}
"""By name. An index has only those of the languages in it: a search asks each, and an engine takes 1,024 terms."""


def index_body(rules: ServiceRules, model: ModelId) -> dict[str, Any]:
    """The body of the request that makes an index of `model`."""
    vector = {"type": "knn_vector", "dimension": model.dimension, **rules.vector_field}
    return {
        "settings": {"index": {"knn": True, **rules.settings}, "analysis": analysis()},
        "mappings": {
            "_meta": {"schema": SCHEMA_VERSION, "model": model.name, "dimension": model.dimension},
            # For the release before, which leaves these fields to the service.
            "dynamic_templates": [{name: {"match": name, "mapping": field}} for name, field in _TEXT_FIELDS.items()],
            "properties": {**_FIELDS, "vector": vector},
        },
    }


def check_mapping(name: str, mapping: Mapping[str, Any], model: ModelId) -> None:
    """Raises Conflict when an index is of another schema or model than this Groundwire would make."""
    held = cast("Mapping[str, Any]", mapping.get("_meta", {}))
    if held.get("schema") != SCHEMA_VERSION:
        raise errors.Conflict(
            f"The index {name} was made by another version of Groundwire (schema {held.get('schema')}, not {SCHEMA_VERSION}): "
            "build it anew with `groundwire reindex`."
        )
    if (held.get("model"), held.get("dimension")) != (model.name, model.dimension):
        raise errors.Conflict(
            f"The index {name} holds vectors of {held.get('model')} ({held.get('dimension')} dimensions), "
            f"not of {model.name} ({model.dimension} dimensions): build it anew with `groundwire reindex`."
        )


def text_fields_body(names: Collection[str]) -> dict[str, Any]:
    """Return the body of the request that adds these fields of languages; one that is there stays as it is."""
    return {"properties": {name: _TEXT_FIELDS[name] for name in sorted(names)}}


def text_fields(fields: Iterable[str]) -> set[str]:
    """Return those of these fields that hold the text of a language."""
    return {name for name in fields if name.startswith(TEXT_FIELD_PREFIX)}
