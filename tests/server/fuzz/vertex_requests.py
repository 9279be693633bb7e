"""Valid requests to Vertex AI's routes, over REST and as calls of the tool, to be spoilt afterwards."""

import re
from collections import deque
from copy import deepcopy
from random import Random
from typing import Any, Final
from urllib.parse import quote

from tests.support.clients.drawn_headers import drawn_headers
from tests.support.clients.valid_requests import Call, Draft
from tests.support.documents.filters.cel_cases import any_filter
from tests.support.worlds.two_tenants import LURE, TwoTenants

PARENT: Final = "projects/p1/locations/eu"
CORPORA: Final = ("default", "default", "default", "qzxashlf", "qzxbshlf", "never")
_VERSIONS: Final = ("v1", "v1beta1")
_COLONS: Final = (":", "/:", "%3A", "/%3A")
_SIBLINGS: Final = ("augmentPrompt", "askContexts", "corroborateContent")
_QUERIES: Final = ("", "", "%24alt=json%3Benum-encoding%3Dint", "alt=json&prettyPrint=false")
_TOKEN: Final = re.compile(r'"nextPageToken":"([^"]+)"')


def message(random: Random, two_tenants: TwoTenants) -> dict[str, Any]:
    """Return the members of a request for contexts, in either spelling."""
    filters: dict[str, Any] = random.choice(({}, {"vectorDistanceThreshold": 2}, {"vector_similarity_threshold": "-1"}))
    if random.random() < 0.3:
        filters = {**filters, "metadataFilter": any_filter(random).ours}
    config: dict[str, Any] = {"topK": random.choice((0, 1, "2", 3.0, 100)), "filter": filters}
    if random.random() < 0.3:
        config["hybridSearch"] = {"alpha": random.choice((0, 0.5, 1))}
    corpus: dict[str, Any] = {"rag_corpus": f"{PARENT}/ragCorpora/{random.choice(CORPORA)}"}
    if random.random() < 0.3:
        held = random.choice(random.choice(two_tenants.houses).documents)
        corpus = {"ragCorpus": f"{PARENT}/ragCorpora/{held.collection}", "ragFileIds": [held.doc_id]}
    named = random.choice(("ragRetrievalConfig", "rag_retrieval_config"))
    resources: object = random.choice(([corpus], corpus))
    return {"query": {"text": LURE, named: config}, "vertexRagStore": {"ragResources": resources}}


def tool_calls(two_tenants: TwoTenants, seed: int) -> list[Call]:
    """Return valid calls of the tool."""
    random = Random(seed)
    arguments = ({"parent": PARENT, **message(random, two_tenants)} for _ in range(40))
    return [("tools/call", {"name": "retrieve_contexts", "arguments": each}) for each in arguments]


class VertexRequests:
    """Requests to the REST routes, each as good as any client's."""

    def __init__(self, two_tenants: TwoTenants, random: Random) -> None:
        self._two_tenants = two_tenants
        self._random = random
        self._unfinished: deque[Draft] = deque(maxlen=20)

    def remember(self, draft: Draft, answer: str) -> None:
        """Keep the request for the next page of a list."""
        if found := _TOKEN.search(answer):
            following = deepcopy(draft)
            following.query = f"pageSize=1&pageToken={quote(found[1], safe='')}"
            self._unfinished.append(following)

    def draw(self) -> Draft:
        """Return the next request."""
        random = self._random
        if self._unfinished and random.random() < 0.1:
            return deepcopy(random.choice(self._unfinished))
        version = random.choice(_VERSIONS)
        if random.random() < 0.3:
            return self._reading(version)
        method = random.choice(_SIBLINGS) if random.random() < 0.05 else "retrieveContexts"
        place = f"/{PARENT}" if version == "v1" or random.random() < 0.9 else ""
        colon = random.choice(_COLONS if place else _COLONS[1::2])
        body = message(random, self._two_tenants)
        path = f"/{version}{place}{colon}{method}"
        return Draft("POST", self._headers(), body, path, random.choice(_QUERIES))

    def _reading(self, version: str) -> Draft:
        random = self._random
        corpus = f"ragCorpora/{random.choice(CORPORA)}"
        held = random.choice(random.choice(self._two_tenants.houses).documents)
        files = (f"{corpus}/ragFiles", f"ragCorpora/{held.collection}/ragFiles/{held.doc_id}")
        place = random.choice(("ragCorpora", corpus, *files))
        method = random.choice(("GET",) * 9 + ("DELETE",))
        query = random.choice(("", "pageSize=1", "page_size=2", "pageSize=100"))
        return Draft(method, self._headers(), {}, f"/{version}/{PARENT}/{place}", query)

    def _headers(self) -> list[tuple[str, str]]:
        return drawn_headers(self._random, self._two_tenants, ("x-goog-api-key", "api-key"))
