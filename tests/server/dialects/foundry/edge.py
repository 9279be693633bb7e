"""Calls of `POST /edgeai/mcp` as the page's curl makes them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from groundwire.services.keys.admin import KeyWithSecret
from tests.support.worlds.world import Answer, World, caller

PATH: Final = "/edgeai/mcp"
PLAIN: Final = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
TOOLS: Final = (
    "search_hybrid",
    "search_vector",
    "search_text",
    "search_image",
    "search_multimodal",
    "get_available_collections",
)
SEARCHES: Final = TOOLS[:5]


@dataclass(frozen=True, slots=True)
class Edge:
    """One client.

    Attributes:
        headers: the key, and for whom it acts; empty for a client without a key.
    """

    world: World
    headers: Mapping[str, str]

    def post(self, message: object, headers: Mapping[str, str] | None = None) -> Answer:
        """Return the answer to a body; bytes are sent as they are."""
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        return self.world.request("POST", PATH, {**PLAIN, **self.headers, **(headers or {})}, body)

    def request(self, method: str, **params: object) -> Answer:
        """Return the answer to one request."""
        return self.post({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})

    def call(self, tool: str, **arguments: object) -> Answer:
        """Return the answer to a call of a tool."""
        return self.request("tools/call", name=tool, arguments=arguments)

    def found(self, tool: str, **arguments: object) -> dict[str, Any]:
        """Return the result of a call, once both of its forms are the same."""
        result = self.call(tool, **arguments).result
        assert result["isError"] is False
        [content] = result["content"]
        assert content["type"] == "text"
        assert json.loads(content["text"]) == result["structuredContent"]
        return result["structuredContent"]

    def results(self, tool: str, **arguments: object) -> list[dict[str, Any]]:
        """Return the results of a call that names one collection, or none."""
        [entry] = self.found(tool, **arguments).values()
        return entry["results"]

    def error(self, tool: str, **arguments: object) -> str:
        """Return the message of a call with a bad argument."""
        answer = self.call(tool, **arguments)
        assert answer.status == 200
        assert answer.payload["error"]["code"] == -32602, answer.payload
        return answer.payload["error"]["message"]


def edge(world: World, key: KeyWithSecret, user: str | None = None, *tags: str) -> Edge:
    """Return a client with this key; with a user, it acts for that user with these tags."""
    return Edge(world, caller(key) if user is None else caller(key, user, frozenset(tags)))
