"""A tenant with two corpora, and its callers as clients of Vertex AI."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tests.support.isolation.policies import for_users
from tests.support.worlds.tenant_caller import TenantCaller
from tests.support.worlds.world import Answer, World

PARENT: Final = "projects/p1/locations/us-central1"
HANDBOOK: Final = f"{PARENT}/ragCorpora/handbook"
CLOSED: Final = f"{PARENT}/ragCorpora/closed"
RETRIEVE: Final = f"/v1/{PARENT}:retrieveContexts"
BETA: Final = f"/v1beta1/{PARENT}/:retrieveContexts"


@dataclass(frozen=True)
class Company(TenantCaller):
    """A tenant; `ana` reads all but the hidden corpus."""

    def post(self, path: str, body: object, headers: Mapping[str, str] | None = None) -> Answer:
        """The answer to a POST of JSON."""
        return self.send("POST", path, body, headers)

    def get(self, path: str, headers: Mapping[str, str] | None = None) -> Answer:
        """The answer to a GET."""
        return self.world.request("GET", path, self.headers if headers is None else headers, b"")

    def retrieve(self, body: object, path: str = RETRIEVE) -> list[dict[str, Any]]:
        """The contexts of a call that succeeds."""
        answer = self.post(path, body)
        assert answer.status == 200, answer.payload
        assert set(answer.payload) == {"contexts"}
        return answer.payload["contexts"]["contexts"]

    def refusal(self, body: object, path: str = RETRIEVE) -> dict[str, Any]:
        """The error of a call that fails."""
        answer = self.post(path, body)
        assert set(answer.payload) == {"error"}
        error = answer.payload["error"]
        assert error["code"] == answer.status
        return error

    def tool(self, arguments: object, path: str = "/mcp/generate", **headers: str) -> dict[str, Any]:
        """The result of a call of the tool, once it is sure that both of its forms are one object."""
        params = {"name": "retrieve_contexts", "arguments": arguments}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        result = self.post(path, message, {**self.headers, **headers}).result
        [block] = result["content"]
        assert block["type"] == "text"
        assert json.loads(block["text"]) == result["structuredContent"]
        return result


def request(text: str = "wheel pump", corpus: str = HANDBOOK, **config: object) -> dict[str, Any]:
    """A request for contexts, in camelCase."""
    retrieval = {"ragRetrievalConfig": config} if config else {}
    return {"query": {"text": text, **retrieval}, "vertexRagStore": {"ragResources": [{"ragCorpus": corpus}]}}


def texts(contexts: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the texts of the contexts."""
    return [each["text"] for each in contexts]


def violations(error: Mapping[str, Any]) -> list[str]:
    """The fields that an error names."""
    [detail] = error["details"]
    assert detail["@type"] == "type.googleapis.com/google.rpc.BadRequest"
    assert all(each["description"] in error["message"] for each in detail["fieldViolations"])
    return [each.get("field", "") for each in detail["fieldViolations"]]


def found_company(world: World) -> Company:
    """The company with its documents."""
    tenant = world.tenant("amber")
    company = Company(world, tenant, world.acting_key(tenant))
    company.add(
        "pump",
        "The wheel pump needs oil.\n\nThe wheel pump stands in the cellar.",
        metadata={"year": 2024.0, "month": "May", "tags": ("red", "blue"), "a-b": "x"},
        source_url="https://wiki.example/pump",
    )
    company.add("wheel", "A wheel has spokes.", metadata={"year": 2023.0, "month": "June"})
    company.add("secret", "The wheel pump opens with a code.", for_users("ben"))
    company.add("plain", "Bread is baked in the morning.")
    company.add("menu", "Soup on Monday.", collection="kitchen")
    company.add("vault", "The wheel pump of the vault.", for_users("ben"), collection="closed")
    return company
