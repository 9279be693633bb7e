"""Answers that describe the node, its health and its indexes, all from what the caller may read."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from groundwire.dialects.opensearch.errors import OpenSearchError
from groundwire.dialects.opensearch.http_rules import ENGINE_VERSION
from groundwire.dialects.opensearch.index_facts import IndexFacts, index_uuid, settings_of

if TYPE_CHECKING:
    from groundwire.dialects.opensearch.engine import Engine
    from groundwire.services.call_context import CallContext

_NODE: Final = "groundwire"
_UNKNOWN: Final = "unknown"


def node_description(tenant: str) -> dict[str, Any]:
    """Return the answer of the root: the version whose interface this is. Nothing in it depends on documents."""
    return {
        "name": _NODE,
        "cluster_name": _NODE,
        "cluster_uuid": index_uuid(tenant, ""),
        "version": {
            "distribution": "opensearch",
            "number": ENGINE_VERSION,
            "build_type": _UNKNOWN,
            "build_hash": _UNKNOWN,
            "build_date": _UNKNOWN,
            "build_snapshot": False,
            "lucene_version": _UNKNOWN,
            "minimum_wire_compatibility_version": "2.19.0",
            "minimum_index_compatibility_version": "2.0.0",
        },
        "tagline": "The OpenSearch Project: https://opensearch.org/",
    }


def health(engine: "Engine", call: "CallContext", names: Sequence[str] | None) -> tuple[int, dict[str, Any]]:
    """Return status and answer of `_cluster/health`: green, or red at once where an index does not exist."""
    try:
        shards, is_found = len(engine.names(call, names)), True
    except OpenSearchError as error:
        if error.status != HTTPStatus.NOT_FOUND:
            raise
        shards, is_found = 0, False
    # A node waits for an unknown index until the timeout, and then answers 408 and red.
    return HTTPStatus.OK if is_found else HTTPStatus.REQUEST_TIMEOUT, {
        "cluster_name": _NODE,
        "status": "green" if is_found else "red",
        "timed_out": not is_found,
        "number_of_nodes": 1,
        "number_of_data_nodes": 1,
        "discovered_master": True,
        "discovered_cluster_manager": True,
        "active_primary_shards": shards,
        "active_shards": shards,
        "relocating_shards": 0,
        "initializing_shards": 0,
        "unassigned_shards": 0,
        "delayed_unassigned_shards": 0,
        "number_of_pending_tasks": 0,
        "number_of_in_flight_fetch": 0,
        "task_max_waiting_in_queue_millis": 0,
        "active_shards_percent_as_number": 100.0,
    }


def descriptions(engine: "Engine", call: "CallContext", names: Sequence[str] | None) -> dict[str, Any]:
    """Return the answer of an index itself: its fields and settings."""
    found = engine.indices(call, names)
    mappings = engine.mappings(call, [each.name for each in found]) if found else {}
    return {
        each.name: {"aliases": {}, "mappings": mappings.get(each.name, {}), "settings": _nested(each)} for each in found
    }


def mappings(engine: "Engine", call: "CallContext", names: Sequence[str] | None) -> dict[str, Any]:
    """Return the answer of `_mapping`."""
    return {name: {"mappings": fields} for name, fields in engine.mappings(call, names).items()}


def resolved(engine: "Engine", call: "CallContext", names: Sequence[str]) -> dict[str, Any]:
    """Return the answer of `_resolve/index`; a name that does not exist is left out."""
    # A node answers this route for an unknown name with empty lists, not with 404.
    found = engine.names(call, names, ignores_unknown=True)
    return {
        "indices": [{"name": name, "attributes": ["open"]} for name in sorted(found)],
        "aliases": [],
        "data_streams": [],
    }


def _nested(facts: IndexFacts) -> Mapping[str, Any]:
    nested: dict[str, Any] = {}
    for name, value in settings_of(facts).items():
        *parents, last = name.split(".")
        held = nested
        for parent in parents:
            held = held.setdefault(parent, {})
        held[last] = value
    return nested
