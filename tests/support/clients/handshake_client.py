"""A client of a handshake revision, through the gateway."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from tests.support.worlds.world import World, caller

_DOCUMENT: Final = "groundwire://documents/{doc_id}"


@dataclass(frozen=True, slots=True)
class Client:
    """One with a key.

    Attributes:
        headers: the key, and whom it speaks for.
    """

    world: World
    headers: Mapping[str, str]
    version: str = "2025-11-25"

    def ask(self, method: str, **params: object) -> dict[str, Any]:
        """The whole answer."""
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        headers = {**self.headers, "mcp-protocol-version": self.version}
        return self.world.post(json.dumps(message).encode(), headers).payload

    def result(self, method: str, **params: object) -> dict[str, Any]:
        """The result of a request that succeeds."""
        answer = self.ask(method, **params)
        assert "result" in answer, answer
        return answer["result"]

    def listed(self) -> list[dict[str, Any]]:
        """Every resource, page by page."""
        page = self.result("resources/list")
        found = list(page["resources"])
        while "nextCursor" in page:
            page = self.result("resources/list", cursor=page["nextCursor"])
            found += page["resources"]
        return found

    def uris(self) -> list[str]:
        """Of every resource."""
        return [resource["uri"] for resource in self.listed()]

    def read(self, uri: str) -> str:
        """The text of a resource that is there."""
        [contents] = self.result("resources/read", uri=uri)["contents"]
        assert (contents["uri"], contents["mimeType"]) == (uri, "text/plain")
        return contents["text"]

    def missing(self, uri: str) -> str:
        """Return the error message for a resource that does not exist."""
        error = self.ask("resources/read", uri=uri)["error"]
        assert (error["code"], error["data"]) == (-32002, {"uri": uri})
        return error["message"]

    def completed(self, variable: str, value: str = "", template: str = _DOCUMENT, **known: str) -> list[str]:
        """The values proposed for a variable of a template."""
        params: dict[str, object] = {
            "ref": {"type": "ref/resource", "uri": template},
            "argument": {"name": variable, "value": value},
            "context": {"arguments": known},
        }
        return self.result("completion/complete", **params)["completion"]["values"]

    def prompt(self, name: str, **arguments: str) -> list[dict[str, Any]]:
        """The messages of a prompt that can be filled in."""
        return self.result("prompts/get", name=name, arguments=arguments)["messages"]

    def tool(self, name: str, **arguments: object) -> dict[str, Any]:
        """The result of a tool that is there."""
        return self.result("tools/call", name=name, arguments=arguments)


def client(world: World, tenant: str, user: str | None = None, *tags: str, toolset: str = "default") -> Client:
    """One that speaks for this user with these tags, by a key of its own."""
    return Client(world, caller(world.acting_key(tenant, toolset=toolset), user, frozenset(tags)))
