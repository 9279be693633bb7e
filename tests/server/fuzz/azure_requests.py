"""Valid requests to Azure AI Search's routes, over REST and as calls of the tool, to be spoilt afterwards."""

from random import Random
from typing import Any, Final

from groundwire.dialects.azure.versions import AGENTS, ApiVersion
from tests.support.clients.drawn_headers import drawn_headers
from tests.support.clients.valid_requests import Call, Draft
from tests.support.documents.filters.odata_cases import any_filter, text_of
from tests.support.worlds.two_tenants import LURE, TwoTenants

COLLECTIONS: Final = ("default", "default", "default", "qzxashlf", "qzxbshlf", "never", "a'b", "x%2Fy")


def tool_calls(seed: int) -> list[Call]:
    """Return valid calls of the tool."""
    random = Random(seed)
    queries = ([LURE] * random.randint(1, 3) for _ in range(20))
    arguments = ({"request": {"knowledgeAgentIntents": each}} for each in queries)
    return [("tools/call", {"name": "knowledge_base_retrieve", "arguments": each}) for each in arguments]


class AzureRequests:
    """Requests to the REST routes, each as good as any client's."""

    def __init__(self, two_tenants: TwoTenants, random: Random) -> None:
        self._two_tenants = two_tenants
        self._random = random

    def remember(self, draft: Draft, answer: str) -> None:
        """Keep nothing: no request is continued by another."""

    def draw(self) -> Draft:
        """Return the next request."""
        random = self._random
        version, name = random.choice(list(ApiVersion)), random.choice(COLLECTIONS)
        kind = "agents" if version in AGENTS else "knowledgebases"
        place = random.choice((f"/{kind}/{name}", f"/{kind}('{name}')", f"/{kind}(%27{name}%27)"))
        query = f"api-version={random.choice((version.value, version.upper()))}"
        method = random.choice(("POST",) * 19 + ("GET",))
        return Draft(method, self._headers(), self._body(version, name), f"{place}/retrieve", query)

    def _body(self, version: ApiVersion, name: str) -> dict[str, Any]:
        random = self._random
        source: dict[str, Any] = random.choice(({}, {"rerankerThreshold": 0}, {"includeReferenceSourceData": True}))
        if random.random() < 0.3:
            source = {**source, "filterAddOn": text_of(any_filter(random), random)}
        messages = [{"role": "user", "content": [{"type": "text", "text": LURE}]}]
        if version is ApiVersion.MAY_2025:
            most = random.choice(({}, {"maxDocsForReranker": random.choice((1, 50, 51, 200))}))
            return {"messages": messages, "targetIndexParams": [{"indexName": name, **most, **source}]}
        named = {"knowledgeSourceName": name, "kind": "searchIndex", **source}
        if version is ApiVersion.AUGUST_2025:
            return {"messages": messages, "knowledgeSourceParams": [named]}
        intents = [{"type": "semantic", "search": LURE}] * random.randint(1, 2)
        return {"intents": intents, "knowledgeSourceParams": [named], "includeActivity": random.random() < 0.9}

    def _headers(self) -> list[tuple[str, str]]:
        return drawn_headers(self._random, self._two_tenants, ("api-key", "api-key"))
