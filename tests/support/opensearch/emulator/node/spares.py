"""Emptied indexes, for who would make the very same: analyzers of many languages take an engine long to make.

What is emptied is the shard: the engine puts one without any segment into its place, as that of a new index, so that
no statistics of former documents are left. What stays is the mapping with the fields that its templates made.
"""

import json
from collections import defaultdict
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from fnmatch import fnmatchcase
from functools import cached_property
from http.client import HTTPException
from threading import Lock
from typing import Any, Final

from tests.support.opensearch.emulator.http.connections import Connections
from tests.support.opensearch.emulator.http.messages import Request

_RESHAPING: Final = frozenset({"_mapping", "_settings", "_alias", "_aliases", "_close"})


class Spares:
    """Those of one node, by the body with which they were made."""

    def __init__(self, url: str) -> None:
        self._connections = Connections(url)
        self._by_body: defaultdict[bytes, list[str]] = defaultdict(list)
        self._lock = Lock()

    def take(self, body: bytes) -> str | None:
        """The name of one that is as if it had just been made with the body."""
        with self._lock:
            return self._by_body[body].pop() if self._by_body[body] else None

    def put(self, name: str, body: bytes | None) -> None:
        """Nobody uses the index any more; body: with which it was made, None where that is not all that shaped it."""
        if body is not None and self._is_as_made(name, body) and self._was_emptied(name):
            with self._lock:
                self._by_body[body].append(name)
        else:
            self._connections.call("DELETE", f"/{name}")

    def close(self) -> None:
        """None is left."""
        with suppress(OSError, HTTPException):
            for name in (name for names in self._by_body.values() for name in names):
                self._connections.call("DELETE", f"/{name}")
        self._connections.close()

    def _is_as_made(self, name: str, body: bytes) -> bool:
        """Return whether the body contains every field of the index, or has a template for it."""
        made = json.loads(body)["mappings"]
        patterns = [template["match"] for each in made["dynamic_templates"] for template in each.values()]
        answer = self._connections.call("GET", f"/{name}/_mapping")
        fields = answer.payload[name]["mappings"]["properties"].keys() if answer.status == 200 else {""}
        return all(
            field in made["properties"] or any(fnmatchcase(field, pattern) for pattern in patterns) for field in fields
        )

    def _was_emptied(self, name: str) -> bool:
        """Its one shard was replaced by an empty one, which is in use."""
        shard: Mapping[str, Any] = {"index": name, "shard": 0, "node": self._node}
        commands = [
            {"cancel": {**shard, "allow_primary": True}},
            {"allocate_empty_primary": {**shard, "accept_data_loss": True}},
        ]
        body = json.dumps({"commands": commands}).encode()
        if self._connections.call("POST", "/_cluster/reroute?metric=none", body).status != 200:
            return False
        self._connections.call("GET", f"/_cluster/health/{name}?wait_for_active_shards=1&timeout=30s")
        counted = self._connections.call("POST", f"/{name}/_count")
        return counted.status == 200 and (counted.payload["count"], counted.payload["_shards"]["successful"]) == (0, 1)

    @cached_property
    def _node(self) -> str:
        nodes = self._connections.call("GET", "/_nodes/_local?filter_path=nodes.*.name").payload["nodes"]
        return next(iter(nodes))


_KEPT: Final[dict[str, Spares]] = {}


@contextmanager
def kept(url: str) -> Generator[None]:
    """For as long as the block, emulators that open before this node share spares, and none of those kept around it."""
    around, made = _KEPT.get(url), Spares(url)
    _KEPT[url] = made
    try:
        yield
    finally:
        _KEPT.pop(url)
        if around is not None:
            _KEPT[url] = around
        made.close()


def of(url: str) -> Spares | None:
    """The node's, where any are kept."""
    return _KEPT.get(url)


def can_be_emptied(request: Request) -> bool:
    """Whether an index that this makes has fields of its body and of templates alone, and one shard."""
    body = request.payload
    index = body.get("settings", {}).get("index", {})
    mappings = body.get("mappings", {})
    return {"properties", "dynamic_templates"} <= mappings.keys() and index.get("number_of_shards", 1) == 1


def reshapes(request: Request, body: bytes | None) -> bool:
    """Return whether the request changes an index so that the body that made it no longer describes it."""
    if request.method == "GET" or request.operation not in _RESHAPING:
        return False
    return body is None or request.operation != "_mapping" or not _is_of_templates(request.payload, json.loads(body))


def _is_of_templates(change: Mapping[str, Any], made: Mapping[str, Any]) -> bool:
    """Whether a template of the body would have made each field of the change in just the same way."""
    templates = [template for each in made["mappings"]["dynamic_templates"] for template in each.values()]
    return set(change) == {"properties"} and all(
        any(fnmatchcase(name, template["match"]) and field == template["mapping"] for template in templates)
        for name, field in change["properties"].items()
    )
