"""Tools that describe indexes: texts as the engine's plugin prints them."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from groundwire.dialects.opensearch.index_facts import settings_of
from groundwire.dialects.opensearch.tools.arguments import (
    as_json,
    checked_answer,
    echoed,
    index_list,
    index_names,
    unpacked,
)
from groundwire.dialects.opensearch.tools.presets import Presets, searched_indexes
from groundwire.domain.text.json_values import is_mapping, mapping_or_empty

if TYPE_CHECKING:
    from groundwire.dialects.opensearch.engine import Engine, IndexFacts
    from groundwire.services.call_context import CallContext

# The header is that of the system's page, byte for byte.
_HEADER: Final = (
    "row,health,status,index,uuid,pri(number of primary shards),rep(number of replica shards),"
    "docs.count(number of available documents),docs.deleted(number of deleted documents),"
    "store.size(store size of primary and replica shards),pri.store.size(store size of primary shards)\n"
)


def list_indexes(engine: "Engine", call: "CallContext", arguments: Mapping[str, object], presets: Presets) -> str:
    """Return the indexes that exist for the caller, a row each; their sizes are null, whatever they hold."""
    given = unpacked(arguments).get("indices")
    requested = None if given is None else index_list(given) or None
    found = engine.indices(call, searched_indexes(engine, call, presets, requested))
    if not found:
        return f"There were no results searching the indices parameter [{echoed(given)}]."
    rows = (
        f"{number},green,open,{each.name},{each.uuid},1,0,{each.documents},0,null,null\n"
        for number, each in enumerate(found, start=1)
    )
    return checked_answer(_HEADER + "".join(rows))


def describe_mappings(engine: "Engine", call: "CallContext", arguments: Mapping[str, object], presets: Presets) -> str:
    """Return the fields that the caller may read and the settings of the named indexes."""
    given = unpacked(arguments).get("index")
    requested = None if given is None else index_names(given)
    if requested is None and presets.indexes is None:
        return _no_mappings(given)
    found = engine.indices(call, searched_indexes(engine, call, presets, requested))
    if not found:
        return _no_mappings(given)
    mappings = engine.mappings(call, [each.name for each in found])
    return checked_answer("".join(_mapping_text(each, mappings.get(each.name, {})) for each in found))


def _no_mappings(given: object) -> str:
    return f"There were no results searching the index parameter [{echoed(given)}]."


def _mapping_text(facts: "IndexFacts", mapping: Mapping[str, Any]) -> str:
    fields = mapping.get("properties", {})
    lines = f"properties={_java_fields(fields)}\n" if fields else ""
    shown = "".join(f"{name}={value}\n" for name, value in settings_of(facts).items())
    return f"index: {facts.name}\n\nmappings:\n{lines}\n\nsettings:\n{shown}\n\n"


def _java_fields(fields: Mapping[str, Any]) -> str:
    """Return the fields as Java prints a map, in the order of their names."""
    return "{" + ", ".join(f"{name}={_java_text(fields[name])}" for name in sorted(fields)) + "}"


def _java_text(value: object) -> str:
    if is_mapping(value):
        shown = (
            f"{name}={_java_fields(mapping_or_empty(each)) if name == 'properties' else _java_text(each)}"
            for name, each in value.items()
        )
        return "{" + ", ".join(shown) + "}"
    return value if isinstance(value, str) else as_json(value)
