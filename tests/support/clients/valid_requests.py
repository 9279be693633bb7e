"""Valid requests of every method, revision, tool and kind of key, to be spoilt afterwards."""

import json
import re
from collections import deque
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from groundwire.domain.keys.grants import KeyKind
from tests.support.entry.conformance_fixtures import server_definition
from tests.support.worlds.two_tenants import BLUE, KEPT, LURE, RED, USERS, TwoTenants

MODERN: Final = "2026-07-28"
VERSIONS: Final = (None, "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", MODERN, MODERN, MODERN)
_PREFIX: Final = "io.modelcontextprotocol/"
_NAMED_BY: Final = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_CAPABILITIES: Final = {"elicitation": {"form": {}}, "sampling": {}, "roots": {}}
_HELLO: Final = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}}
_ANSWER: Final = {"action": "accept", "content": {"name": "Ann", "confirmed": True}}
_RESPONSES: Final = dict.fromkeys(("user_name", "confirm", "step1", "step2", "greeting", "client_roots"), _ANSWER)
_TOKEN: Final = re.compile(r'"(nextCursor|requestState)":"([^"]+)"')

Call = tuple[str, dict[str, Any]]


@dataclass
class Draft:
    """A request that may still be changed.

    Attributes:
        body: a JSON value.
        path, query: of its own, as sent; an empty path is the route's.
    """

    method: str
    headers: list[tuple[str, str]]
    body: Any
    path: str = ""
    query: str = ""


class Lines(list[Any]):
    """A body of several lines, each a JSON value."""


class Drafts:
    """Requests to an two tenants, each as good as any client's."""

    def __init__(
        self,
        two_tenants: TwoTenants,
        random: Random,
        *,
        with_fixtures: bool = False,
        calls: Sequence[Call] | None = None,
        often: int = 1,
    ) -> None:
        self._estate = two_tenants
        self._random = random
        self._unfinished: deque[Draft] = deque(maxlen=20)
        if calls is None:
            calls = _fixture_calls(two_tenants) if with_fixtures else calls_about_documents(two_tenants)
        # A dialect with few tools would otherwise be asked for everything but them.
        self._kinds = _by_kind([*plain_calls(), *calls]) + _by_kind([*calls]) * (often - 1)

    def remember(self, draft: Draft, answer: str) -> None:
        """Keep a draft that continues what the answer started: a list's next page, or a call's next round trip."""
        given = _TOKEN.search(answer)
        params = draft.body.get("params") if isinstance(draft.body, dict) else None
        if given is None or not isinstance(params, dict):
            return
        following = deepcopy(draft)
        following.body["params"]["cursor" if given[1] == "nextCursor" else "requestState"] = given[2]
        following.body["params"]["inputResponses"] = deepcopy(_RESPONSES)
        self._unfinished.append(following)

    def draw(self) -> Draft:
        """The next one."""
        random = self._random
        if self._unfinished and random.random() < 0.2:
            return deepcopy(random.choice(self._unfinished))
        version = random.choice(VERSIONS)
        if version in {None, "2025-03-26"} and random.random() < 0.15:
            body: Any = [self._message(self._call(), version, n) for n in range(random.randint(1, 4))]
        else:
            body = self._message(self._call(), version, random.choice((1, 2**53, -7, "a", "é", 0)))
        return Draft("POST", [*self._headers(version, body), *self._identity()], body)

    def _call(self) -> Call:
        method, params = self._random.choice(self._random.choice(self._kinds))
        return method, deepcopy(params)

    def _message(self, call: Call, version: str | None, identifier: object) -> dict[str, Any]:
        method, params = call
        if version == MODERN:
            client = {
                "protocolVersion": version,
                "clientCapabilities": deepcopy(_CAPABILITIES),
                "clientInfo": {"name": "a"},
            }
            params["_meta"] = {_PREFIX + name: value for name, value in client.items()}
            if self._random.random() < 0.2:
                params["_meta"][f"{_PREFIX}logLevel"] = "debug"
        if self._random.random() < 0.3:
            params.setdefault("_meta", {})["progressToken"] = self._random.choice((1, "token"))
        if self._random.random() < 0.1:
            params[self._random.choice(("cursor", "requestState"))] = self._random.choice(self._estate.houses[0].tokens)
        message = {"jsonrpc": "2.0", "id": identifier, "method": method, "params": params}
        if method.startswith("notifications/"):
            del message["id"]
        return message

    def _headers(self, version: str | None, body: Any) -> list[tuple[str, str]]:
        headers = [("content-type", "application/json"), ("accept", "application/json, text/event-stream")]
        if version is not None:
            headers.append(("mcp-protocol-version", version))
        if version == MODERN:
            headers.append(("mcp-method", body["method"]))
            name = body["params"].get(_NAMED_BY.get(body["method"], ""))
            if name is not None:
                headers.append(("mcp-name", name))
        elif self._random.random() < 0.15:
            headers.append(("mcp-session-id", self._random.choice(self._estate.houses[0].sessions)))
        return headers

    def _identity(self) -> list[tuple[str, str]]:
        random = self._random
        key = random.choice(self._estate.houses[0].keys)
        text = key.secret.reveal()
        headers = [random.choice((("authorization", f"Bearer {text}"), ("api-key", text), ("x-api-key", text)))]
        if key.key.kind is KeyKind.PERSONAL:
            return headers
        if random.random() < 0.7:
            headers.append(("x-user-id", random.choice(USERS)))
        if random.random() < 0.6:
            tags = (RED, BLUE, KEPT)
            headers.append(("x-session-tags", json.dumps(random.sample(tags, random.randint(0, len(tags))))))
        return headers


def calls_about_documents(two_tenants: TwoTenants) -> list[Call]:
    """Of every tool and every method that reads, about documents of both houses."""
    calls: list[Call] = []
    for tool in ("rag_search", "verify_document_access", "search", "fetch"):
        calls += [("tools/call", {"name": tool, "arguments": each}) for each in _arguments(two_tenants, tool)]
    calls += [("resources/read", {"uri": uri}) for uri in _uris(two_tenants)]
    question, topic = {"question": LURE}, {"topic": LURE, "first": "qzxaiadx", "second": "qzxbiadx"}
    calls += [
        ("prompts/get", {"name": "answer_with_citations", "arguments": question}),
        ("prompts/get", {"name": "answer_with_citations", "arguments": {**question, "collection": "default"}}),
        ("prompts/get", {"name": "compare_sources", "arguments": topic}),
    ]
    return calls + [("completion/complete", each) for each in _completions()]


def _arguments(two_tenants: TwoTenants, tool: str) -> list[dict[str, Any]]:
    documents = [held for house in two_tenants.houses for held in house.documents[::3]]
    if tool == "rag_search":
        return [{"search_phrases": phrases} for phrases in ([LURE], [LURE, "here"], [documents[0].doc_id] * 5)]
    if tool == "search":
        return [{"query": query} for query in (LURE, "*", documents[-1].file_name)]
    name = "segment_uid" if tool == "verify_document_access" else "id"
    return [{name: identifier} for held in documents for identifier in (held.doc_id, held.segment)]


def _uris(two_tenants: TwoTenants) -> list[str]:
    uris = ["groundwire://collections/default", "groundwire://collections/qzxbshlf", "groundwire://", "file:///x"]
    for held in (held for house in two_tenants.houses for held in house.documents[::2]):
        uris += [f"groundwire://documents/{held.doc_id}", f"groundwire://segments/{held.segment}"]
        uris.append(f"groundwire://documents/{held.doc_id}/pages/1")
    return uris


def _by_kind(calls: list[Call]) -> list[list[Call]]:
    """Group calls by method and tool, so that a frequent kind is not drawn more often than others."""
    kinds: dict[tuple[str, object], list[Call]] = {}
    for method, params in calls:
        kinds.setdefault((method, params.get("name")), []).append((method, params))
    return list(kinds.values())


def plain_calls() -> list[Call]:
    """Of the methods that need no document."""
    names = ("tools/list", "prompts/list", "resources/list", "resources/templates/list", "ping", "server/discover")
    return [
        *((name, {}) for name in names),
        ("initialize", _HELLO),
        ("logging/setLevel", {"level": "debug"}),
        ("resources/subscribe", {"uri": "groundwire://collections/default"}),
        ("notifications/initialized", {}),
        ("notifications/cancelled", {"requestId": 1}),
        ("made/up", {}),
    ]


def _completions() -> list[dict[str, Any]]:
    document = {"type": "ref/resource", "uri": "groundwire://documents/{doc_id}"}
    collection = {"type": "ref/resource", "uri": "groundwire://collections/{collection}"}
    prompt = {"type": "ref/prompt", "name": "compare_sources"}
    return [
        {"ref": document, "argument": {"name": "doc_id", "value": ""}, "context": {"arguments": {}}},
        {"ref": document, "argument": {"name": "doc_id", "value": "qzx"}},
        {"ref": collection, "argument": {"name": "collection", "value": ""}},
        {"ref": prompt, "argument": {"name": "first", "value": "qzxb"}, "context": {"arguments": {"topic": LURE}}},
    ]


def _fixture_calls(two_tenants: TwoTenants) -> list[Call]:
    offered = server_definition(two_tenants.world.services.agents.server_info)
    ready = {tool.name for tool in offered.tools if not tool.input_schema.get("required")}
    tools = [("tools/call", {"name": tool.name, "arguments": {}}) for tool in offered.tools if tool.name in ready]
    prompts = [
        ("prompts/get", {"name": each.name, "arguments": {argument.name: "a" for argument in each.arguments}})
        for each in offered.prompts
    ]
    uris = ("test://static-text", "test://static-binary", "test://template/7/data")
    reading = [("resources/read", {"uri": uri}) for uri in uris]
    return [*tools, *prompts, *reading]
