"""Valid requests to the routes of OpenSearch's engine, and calls of its tools, to be spoilt afterwards."""

import base64
from random import Random
from typing import Any, Final

from groundwire.domain.keys.grants import KeyKind
from tests.support.clients.valid_requests import Call, Draft, Lines
from tests.support.worlds.two_tenants import BLUE, KEPT, LURE, RED, USERS, TwoTenants

NAMES: Final = (
    *("default", "default", "default", "qzxashlf", "qzxbshlf", "never", "*", "_all", "default,qzxashlf", "*,-default"),
    *("de*", "a'b", "x%2Fy", ".hidden", "%2A"),
)
_FIELDS: Final = (
    "title",
    "title.keyword",
    "source_file_name",
    "language",
    "page",
    "metadata.year",
    "metadata.x",
    "url",
)
_VALUES: Final = (LURE, "default", 1, 2.5, True, "2025-01-01", "")
_READ: Final = ("", "/_mapping", "/_search", "/_count")
_TABLES: Final = ("_cat/indices", "_cat/shards", "_cluster/health", "_resolve/index")
_PARAMETERS: Final = ("", "", "", "size=3", "pretty", "typed_keys", "ignore_unavailable=true", "from=1&size=2", "q=x")


def tool_calls(seed: int) -> list[Call]:
    """Return valid calls of the tool that every tenant has."""
    random = Random(seed)
    given: list[dict[str, Any]] = [
        random.choice(({}, {"indices": [random.choice(NAMES)]}, {"indices": f'["{random.choice(NAMES)}"]'}))
        for _ in range(20)
    ]
    return [("tools/call", {"name": "ListIndexTool", "arguments": each}) for each in given]


class OpenSearchRequests:
    """Requests to the routes under `/opensearch`, each as good as any client's."""

    def __init__(self, two_tenants: TwoTenants, random: Random) -> None:
        self._two_tenants = two_tenants
        self._random = random

    def remember(self, draft: Draft, answer: str) -> None:
        """Keep nothing: no request is continued by another."""

    def draw(self) -> Draft:
        """Return the next request."""
        random = self._random
        name, kind = random.choice(NAMES), random.randrange(10)
        query = random.choice(_PARAMETERS)
        if kind == 0:
            table = random.choice(_TABLES)
            return Draft(
                "GET", self._headers(), {}, f"/opensearch/{table}/{name}", random.choice(("format=json", "v", ""))
            )
        if kind == 1:
            body = Lines(each for _ in range(random.randint(1, 3)) for each in ({"index": name}, self._search()))
            return Draft("POST", self._headers(), body, "/opensearch/_msearch")
        if kind == 2:
            return Draft(
                random.choice(("GET", "HEAD")), self._headers(), {}, f"/opensearch/{name}{random.choice(_READ)}"
            )
        if kind == 3:
            return Draft("POST", self._headers(), {"query": self._query(0)}, f"/opensearch/{name}/_count")
        place = random.choice((f"/{name}/_search", f"/{name}/_search", "/_search"))
        return Draft(random.choice(("POST", "GET")), self._headers(), self._search(), f"/opensearch{place}", query)

    def _search(self) -> dict[str, Any]:
        random = self._random
        more = random.choice(
            (
                {},
                {},
                {"size": random.choice((0, 1, 50, 1000))},
                {"sort": [random.choice(_FIELDS)]},
                {"aggs": {"a": {"terms": {"field": random.choice(_FIELDS)}}}},
                {"_source": random.choice((False, "title", ["content", "metadata.*"], {"excludes": ["content"]}))},
                {"track_total_hits": False},
            )
        )
        return {"query": self._query(0), **more}

    def _query(self, depth: int) -> dict[str, Any]:
        random, field = self._random, self._random.choice(_FIELDS)
        if depth < 3 and random.random() < 0.3:
            occurrence = random.choice(("must", "filter", "should", "must_not"))
            return {"bool": {occurrence: [self._query(depth + 1) for _ in range(random.randint(0, 3))]}}
        value = random.choice(_VALUES)
        return random.choice(
            (
                {"match": {"content": LURE}},
                {"match": {"content": LURE}},
                {"match_all": {}},
                {"match_phrase": {"content": LURE}},
                {"multi_match": {"query": LURE}},
                {"neural": {"content_vector": {"query_text": LURE, "k": 5}}},
                {"knn": {"content_vector": {"vector": [0.5] * random.choice((3, 256, 384)), "k": 5}}},
                {"term": {field: value}},
                {"terms": {field: [value, random.choice(_VALUES)]}},
                {"range": {field: {random.choice(("gt", "gte", "lt", "lte")): value}}},
                {"exists": {"field": field}},
                {"prefix": {field: "de"}},
                {"ids": {"values": [random.choice(self._two_tenants.houses[0].documents).segment]}},
            )
        )

    def _headers(self) -> list[tuple[str, str]]:
        random = self._random
        key = random.choice(self._two_tenants.houses[0].keys)
        text = key.secret.reveal()
        pair = base64.b64encode(f"key:{text}".encode()).decode()
        forms = (("authorization", f"Bearer {text}"), ("authorization", f"Bearer {text}"), ("x-api-key", text))
        headers = [("content-type", "application/json")]
        if key.key.kind is KeyKind.PERSONAL:
            return [*headers, random.choice((*forms, ("authorization", f"Basic {pair}")))]
        headers += [random.choice(forms), ("x-user-id", random.choice(USERS))]
        tags = random.choice((f'["{RED}"]', f'["{BLUE}", "{RED}"]', f'["{KEPT}"]', None))
        return headers if tags is None else [*headers, ("x-session-tags", tags)]
