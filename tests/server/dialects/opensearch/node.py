"""A tenant with collections, as clients of OpenSearch's MCP server see it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from groundwire.domain.access.policy import Policy
from groundwire.domain.access.policy_source import DeclaredPolicy
from groundwire.domain.access.scopes import Scope
from groundwire.domain.documents.metadata import Metadata
from groundwire.services.ingest.request import IngestRequest, IngestStatus
from groundwire.services.keys.admin import KeyWithSecret
from tests.support.isolation.policies import PUBLIC, for_users
from tests.support.worlds.world import READ, Answer, World, caller

MCP: Final = "/_plugins/_ml/mcp"
TOOLS: Final = f"{MCP}/tools"
JSON: Final = {"content-type": "application/json"}


@dataclass(frozen=True)
class Node:
    """A tenant; `ana` reads all but what is for `ben`.

    Attributes:
        key: acts for others. admin: does so, too, and may change tools.
    """

    world: World
    tenant: str
    key: KeyWithSecret
    admin: KeyWithSecret

    def add(
        self, doc_id: str, text: str, policy: Policy, collection: str = "handbook", metadata: Metadata | None = None
    ) -> None:
        """One more document; each paragraph is a passage."""
        path = f"/files/{doc_id}.txt"
        request = IngestRequest(
            self.tenant,
            collection,
            path,
            Path(path).name,
            text.encode,
            DeclaredPolicy(policy, None),
            doc_id,
            None,
            metadata or {},
        )
        [result] = self.world.services.ingestion.batch(self.tenant, collection, [request], lambda _done, _total: None)
        assert result.status is IngestStatus.INDEXED, result

    def send(
        self, method: str, path: str, body: object = None, headers: Mapping[str, str] | None = None, user: str = "ana"
    ) -> Answer:
        """The answer to a call with these headers beside the key."""
        sent = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        own = JSON if headers is None else headers
        return self.world.request(method, path, {**own, **caller(self.key, user)}, sent)

    def post(self, body: object, user: str = "ana") -> Answer:
        """The answer to a message."""
        return self.send("POST", MCP, body, user=user)

    def ask(self, method: str, params: object = None, user: str = "ana") -> dict[str, Any]:
        """The JSON-RPC answer to a request; None is no params."""
        given = {} if params is None else {"params": params}
        answer = self.post({"jsonrpc": "2.0", "id": 7, "method": method, **given}, user)
        assert answer.status == 200, answer.payload
        assert answer.payload["id"] == 7
        return answer.payload

    def tool(self, name: str, arguments: object, user: str = "ana") -> str:
        """The text of a tool's answer."""
        payload = self.ask("tools/call", {"name": name, "arguments": arguments}, user)
        assert payload.keys() == {"jsonrpc", "id", "result"}, payload
        [content] = payload["result"]["content"]
        assert (content["type"], payload["result"]["isError"]) == ("text", False)
        return content["text"]

    def failure(self, name: str, arguments: object, user: str = "ana") -> tuple[int, str]:
        """Code and message of a tool's error."""
        error = self.ask("tools/call", {"name": name, "arguments": arguments}, user)["error"]
        return error["code"], error["message"]

    def administer(self, method: str, path: str, body: object = None) -> Answer:
        """The answer to an administrator."""
        sent = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.world.request(method, path, {**JSON, **caller(self.admin, "ana")}, sent)

    def register(self, *tools: Mapping[str, Any]) -> None:
        """Register tools, which succeeds."""
        answer = self.administer("POST", f"{TOOLS}/_register", {"tools": tools})
        assert answer.status == 200, answer.payload
        [done] = answer.payload.values()
        assert done == {"created": True}

    def listed(self) -> list[str]:
        """The names of the tools."""
        return [tool["name"] for tool in self.ask("tools/list", {})["result"]["tools"]]


def refusal(answer: Answer) -> tuple[int, str, str]:
    """Status, type and reason of an error in the engine's form."""
    payload = answer.payload
    assert payload.keys() == {"error", "status"}, payload
    assert payload["status"] == answer.status
    [cause] = payload["error"]["root_cause"]
    assert cause == {name: value for name, value in payload["error"].items() if name != "root_cause"}
    return answer.status, cause["type"], cause["reason"]


def started_node(world: World) -> Node:
    """The node with its documents."""
    tenant = world.tenant("amber")
    node = Node(world, tenant, world.acting_key(tenant), world.acting_key(tenant, scopes=READ | {Scope.ADMIN}))
    node.add("pump", "The wheel pump needs oil.\n\nThe pump stands in the cellar.", PUBLIC, metadata={"year": 2024.0})
    node.add("bread", "Bread is baked in the morning.", PUBLIC, metadata={"year": 2023.0})
    node.add("secret", "The wheel pump opens with a code.", for_users("ben"), metadata={"hidden": "x"})
    node.add("menu", "Soup on Monday.", PUBLIC, "kitchen")
    node.add("vault", "The wheel pump of the vault.", for_users("ben"), "closed")
    return node
