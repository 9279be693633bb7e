"""A tenant with collections, and its callers as clients of Azure AI Search."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tests.support.isolation.policies import for_users
from tests.support.worlds.tenant_caller import TenantCaller
from tests.support.worlds.world import World

MAY_2025: Final = "2025-05-01-preview"
AUGUST_2025: Final = "2025-08-01-preview"
NOVEMBER_2025: Final = "2025-11-01-preview"
APRIL_2026: Final = "2026-04-01"
MAY_2026: Final = "2026-05-01-preview"
AUGUST_2026: Final = "2026-08-01-preview"
AGENT_VERSIONS: Final = (MAY_2025, AUGUST_2025)
BASE_VERSIONS: Final = (NOVEMBER_2025, APRIL_2026, MAY_2026, AUGUST_2026)


@dataclass(frozen=True)
class Office(TenantCaller):
    """A tenant; `ana` reads all but the hidden collection."""

    def retrieve(self, body: object, version: str = APRIL_2026, name: str = "handbook") -> dict[str, Any]:
        """The answer to a retrieval that succeeds."""
        answer = self.send("POST", retrieve_path(version, name), body)
        assert answer.status == 200, answer.payload
        return answer.payload

    def refusal(self, body: object, version: str = APRIL_2026, name: str = "handbook") -> tuple[int, str]:
        """Status and message of a retrieval that fails."""
        answer = self.send("POST", retrieve_path(version, name), body)
        assert set(answer.payload) == {"error"}, answer.payload
        assert set(answer.payload["error"]) - {"details"} == {"code", "message"}
        return answer.status, answer.payload["error"]["message"]


def retrieve_path(version: str, name: str = "handbook") -> str:
    """The address by which clients retrieve."""
    kind = "agents" if version in AGENT_VERSIONS else "knowledgebases"
    return f"/{kind}('{name}')/retrieve?api-version={version}"


def message(text: str, role: str = "user") -> dict[str, Any]:
    """A message of a conversation."""
    return {"role": role, "content": [{"type": "text", "text": text}]}


def requested(text: str, version: str, **source: object) -> dict[str, Any]:
    """The request for one question in the form of a version, which the planner leaves as it is."""
    if version == MAY_2025:
        return {"messages": [message(text)], "targetIndexParams": [{"indexName": "handbook", **source}]}
    named = {"knowledgeSourceName": "handbook", "kind": "searchIndex", **source}
    question = {"messages": [message(text)]} if version == AUGUST_2025 else intents(text)
    return {**question, "knowledgeSourceParams": [named]}


def intents(*texts: str) -> dict[str, Any]:
    """The request for these queries."""
    return {"intents": [{"type": "semantic", "search": text} for text in texts]}


def grounding(answer: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The passages of the response."""
    [response] = answer["response"]
    [content] = response["content"]
    assert content["type"] == "text"
    return json.loads(content["text"])


def texts(answer: Mapping[str, Any]) -> list[str]:
    """Return the texts of the passages in the response."""
    return [each["content"] for each in grounding(answer)]


def searches(answer: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """The searches of the activity."""
    return [each for each in answer["activity"] if each["type"] in {"AzureSearchQuery", "searchIndex"}]


def found_office(world: World) -> Office:
    """The office with its documents."""
    tenant = world.tenant("amber")
    office = Office(world, tenant, world.acting_key(tenant))
    office.add(
        "pump",
        "The wheel pump needs oil.\n\nThe wheel pump stands in the cellar.",
        metadata={"year": 2024.0, "month": "May", "page_number": "105"},
    )
    office.add("wheel", "A wheel has spokes.", metadata={"year": 2023.0, "month": "June"})
    office.add("secret", "The wheel pump opens with a code.", for_users("ben"), metadata={"hidden": "x"})
    office.add("bread", "Bread is baked in the morning.")
    office.add("menu", "Soup on Monday.", collection="kitchen")
    office.add("vault", "The wheel pump of the vault.", for_users("ben"), collection="closed")
    return office
