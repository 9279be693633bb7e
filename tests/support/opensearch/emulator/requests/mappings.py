"""New indexes: judged as the generation would, then given the one vector engine that the node has."""

import json
from collections.abc import Generator, Mapping
from typing import Any, Final

from tests.support.opensearch.emulator.generations import Generation
from tests.support.opensearch.emulator.http.messages import Request, invalid

_SETTINGS: Final = ("knn", "knn.algo_param.ef_search", "analysis")
_CLASSIC_ENGINES: Final = frozenset({"faiss", "nmslib"})
_HERE: Final = "lucene"
_PARAMETERS_HERE: Final = frozenset({"m", "ef_construction"})


def judge(request: Request, generation: Generation) -> None:
    """Raises Refusal for what the service would not make an index with."""
    body = request.payload
    for setting in _flat(body.get("settings", {})):
        if not any(setting == known or setting.startswith(f"{known}.") for known in _SETTINGS):
            raise invalid("illegal_argument_exception", f"unknown setting [index.{setting}]")
    for name, field in vectors(body.get("mappings", body)):
        _judge_vector(name, field, generation)


def _judge_vector(name: str, field: Mapping[str, Any], generation: Generation) -> None:
    engine = field.get("method", {}).get("engine", field.get("engine"))
    if engine is None:
        return
    if not generation.names_engine:
        raise invalid("mapper_parsing_exception", f"Field parameter 'engine' is not supported for field [{name}]")
    if engine not in _CLASSIC_ENGINES:
        raise invalid("mapper_parsing_exception", f"Engine [{engine}] is not supported for field [{name}]")


def with_engine_of_the_node(body: dict[str, Any]) -> list[str]:
    """Changes each vector field of the body to the node's engine; returns a line for each that was another."""
    substituted: list[str] = []
    for name, field in vectors(body.get("mappings", body)):
        method = field.get("method", {})
        if method.get("engine") == _HERE:
            continue
        kept = {key: value for key, value in method.get("parameters", {}).items() if key in _PARAMETERS_HERE}
        space = method.get("space_type", field.get("space_type", "l2"))
        for name_of_service in ("mode", "compression_level", "engine", "space_type"):
            field.pop(name_of_service, None)
        field["method"] = {"name": "hnsw", "engine": _HERE, "space_type": space, "parameters": kept}
        substituted.append(f"{name}: {json.dumps(method)} is engine {_HERE} on this node")
    return substituted


def vectors(mapping: Mapping[str, Any], above: str = "") -> Generator[tuple[str, dict[str, Any]]]:
    """The vector fields of a mapping by their full names, those of objects too."""
    for name, field in mapping.get("properties", {}).items():
        if field.get("type") == "knn_vector":
            yield above + name, field
        yield from vectors(field, f"{above}{name}.")


def _flat(settings: Mapping[str, Any], above: str = "") -> Generator[str]:
    for name, value in settings.items():
        full = f"{above}{name}".removeprefix("index.")
        if isinstance(value, dict) and full:
            yield from _flat(value, f"{full}." if full != "index" else "")
        elif full != "index":
            yield full
