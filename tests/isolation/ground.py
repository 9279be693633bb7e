"""Two tenants, and every request by which the key of one may ask for what the other has."""

import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from itertools import product
from typing import Final
from urllib.parse import urlsplit

from groundwire.dialects import DIALECTS
from groundwire.dialects.declaration.dialect import SHARED_MCP_PATH
from groundwire.dialects.declaration.routes import RestRoute
from groundwire.dialects.opensearch import OPENSEARCH
from groundwire.domain.access.scopes import ROUTE_SCOPES, Scope
from groundwire.domain.access.toolsets import DEFAULT_TOOLSET
from groundwire.ports.ingestion import RunProgress
from groundwire.services.keys.admin import KeyWithSecret
from groundwire_egress.mcp_client.calls import SourceAnswer, SourceListing, SourceTarget, SourceToolCall
from tests.isolation.declared import fill_path, message, own_mcp_paths, tool_calls
from tests.support.registry.evaluations import evaluation, question
from tests.support.worlds.exchange import exchange
from tests.support.worlds.world import World, caller

LURE = "ledger"
"""A word that both tenants' passages hold, so that a search for it would find the strangers' too."""
PASSAGE, FILE, COLLECTION, TAG, USER = "quillwort", "saxifrage", "pennyroyal", "feverfew", "tansy"
STRANGERS = (PASSAGE, FILE, COLLECTION, TAG, USER)
"""Known to the other tenant alone: nobody sends them, so whoever meets them has been shown them."""
OWN = "bramble"
STRANGER_RUN: Final = "r_00000000000000aa"
"""Id of the stranger's run of `groundwire ingest`."""

SOURCE_TOOL: Final = "foreign__search"
"""Name of the stranger's tool of a source, for the agents of its own tenant."""

_SOURCES: Final = "/edgeai/knowledgesources"
_VERSION: Final = "?api-version=2026-04-01"
_QUERIES: Final = {
    "agents": "?api-version=2025-05-01-preview",
    "knowledgebases": _VERSION,
    "knowledgesources": _VERSION,
}
"""Query of the routes whose calls name a version, by the beginning of their path."""


_NAMED_BY_PATHS: Final[Mapping[str, Sequence[str]]] = {"/_plugins/_ml/tools/{name}": OPENSEARCH.tool_names[:1]}
"""What else a path may name, where neither tenant has such a thing."""


@dataclass(frozen=True)
class Ground:
    """Two tenants: the caller's own, and another one whose ids the caller all knows.

    Attributes:
        by_toolset: keys with every scope, one for each toolset but the default one, which `steward` has.
        own_uid: passage that the caller may read.
        stranger_source: id of an MCP source of the stranger.
        stranger_evaluation: id of a stored evaluation of the stranger.
    """

    world: World
    own: str
    stranger: str
    acting: KeyWithSecret
    personal: KeyWithSecret
    steward: KeyWithSecret
    by_toolset: Mapping[str, KeyWithSecret]
    stranger_key: KeyWithSecret
    own_uid: str
    stranger_uid: str
    stranger_link: str
    stranger_source: str
    stranger_evaluation: str

    def headers(self) -> Iterator[dict[str, str]]:
        """Every way to say who is calling, honest and otherwise."""
        yield from self.admitted()
        yield from self.refused()

    def admitted(self) -> Iterator[dict[str, str]]:
        """Yield the ways of calling that are answered at least once."""
        yield from itertools.chain(*self.alike())

    def alike(self) -> Iterator[list[dict[str, str]]]:
        """Yield the same ways: together those that name a caller of the same rights."""
        key = self.acting.secret.reveal()
        yield [caller(self.acting, "ana", frozenset({"red"}))]
        forged = f"Bearer {self.stranger_key.secret.reveal()[:-1]}"
        yield [caller(self.acting), {"api-key": key}, {"x-goog-api-key": key, "authorization": forged}]
        yield [self.permitted(None)]
        for toolset in self.by_toolset:
            yield [self.permitted(toolset)]
        yield [caller(self.personal)]
        yield [
            # None of these tags gives a right.
            {**caller(self.acting, "ana"), "x-session-tags": '["blue", "sys:admin", "", "blue"]'},
            {"x-api-key": key, "x-user-id": "ana"},
            {**caller(self.acting, "ana"), "mcp-protocol-version": "1999-01-01"},
        ]

    def refused(self) -> Iterator[dict[str, str]]:
        """Yield the ways that are refused whatever is called."""
        yield caller(self.personal, "ben")
        yield {}
        key = self.acting.secret.reveal()
        yield {"authorization": f"Bearer {key[:-1]}"}
        yield {"authorization": f"Bearer {key}, Bearer {self.stranger_key.secret.reveal()}"}
        for name in ("x-tenant", "x-tenant-id", "tenant", "x-groundwire-tenant"):
            yield {**caller(self.acting, "ana"), name: self.stranger}
        yield {**caller(self.acting), "x-user-id": "ana,ben"}
        yield {**caller(self.acting), "x-session-tags": "[" * 2000}
        yield {**caller(self.acting), "x-session-tags": '["red", 1]'}

    def permitted(self, toolset: str | None) -> dict[str, str]:
        """The headers of a key that has every scope, with this toolset; None: the default one."""
        key = self.steward if toolset is None or toolset == DEFAULT_TOOLSET else self.by_toolset[toolset]
        return caller(key, "ana", frozenset({"red"}))

    def values(self) -> tuple[str, ...]:
        """Ids and names that a call may use: the caller's own, and those of the other tenant alone."""
        return LURE, "default", "handbook", self.own_uid, "plans", self.stranger, self.stranger_uid

    def paths(self) -> list[str]:
        """Every MCP path."""
        own = (path for value in self.values() for path in own_mcp_paths(DIALECTS, value))
        return [SHARED_MCP_PATH, *dict.fromkeys(own)]

    def bodies(self) -> Iterator[bytes]:
        """Every method and tool, and what is none."""
        phrases = ([LURE], [self.stranger], [self.stranger_uid, LURE], ['" OR 1=1 --', "*"], [LURE] * 6, [""], ["😀"])
        for phrase in phrases:
            yield message("tools/call", {"name": "rag_search", "arguments": {"search_phrases": phrase}})
        for uid in (self.stranger_uid, f"../{self.stranger}/{self.stranger_uid}", "x" * 500, ""):
            yield message("tools/call", {"name": "verify_document_access", "arguments": {"segment_uid": uid}})
            yield message("tools/call", {"name": "fetch", "arguments": {"id": uid}})
            yield message("resources/read", {"uri": f"groundwire://segments/{uid}"})
        for dialect in DIALECTS:
            yield from (body for _, body in tool_calls(dialect, self.values()))
        yield from self._browsing()
        scoped = {"search_phrases": [LURE], "tenant": self.stranger}
        yield message("tools/call", {"name": "rag_search", "arguments": scoped})
        yield message("tools/call", {"name": "no_such_tool", "arguments": {}})
        yield message("tools/call", {"name": SOURCE_TOOL, "arguments": {"query": LURE}})
        for method in ("initialize", "ping", "tools/list", "server/discover", "resources/list", "notifications/x"):
            yield message(method, {"protocolVersion": "2025-06-18", "capabilities": {}})
        yield b"not json"
        yield b"[" * 50_000
        yield b'{"jsonrpc": "2.0", "id": 1, "id": 2}'
        yield b"\xff\xfe"
        yield b"[" + b",".join([message("ping", {})] * 2) + b"]"

    def _browsing(self) -> Iterator[bytes]:
        yield message("tools/call", {"name": "search", "arguments": {"query": LURE}})
        for doc_id in ("handbook", "plans", "plans/pages/1"):
            yield message("tools/call", {"name": "fetch", "arguments": {"id": doc_id}})
            yield message("resources/read", {"uri": f"groundwire://documents/{doc_id}"})
            compared = {"topic": LURE, "first": "handbook", "second": doc_id}
            yield message("prompts/get", {"name": "compare_sources", "arguments": compared})
        question = {"question": LURE}
        yield message("prompts/get", {"name": "answer_with_citations", "arguments": question})
        yield message(
            "prompts/get", {"name": "answer_with_citations", "arguments": {**question, "collection": "default"}}
        )
        for variable, template in (("doc_id", "documents/{doc_id}"), ("collection", "collections/{collection}")):
            reference = {"type": "ref/resource", "uri": f"groundwire://{template}"}
            yield message("completion/complete", {"ref": reference, "argument": {"name": variable, "value": ""}})
        for method in ("prompts/list", "resources/templates/list", "skills/list"):
            yield message(method, {})
        for uri in ("skill://groundwire/company-documents/SKILL.md", f"skill://{LURE}", "ui://groundwire/passages"):
            yield message("skills/get", {"uri": uri})
            yield message("resources/read", {"uri": uri})

    def requests(self) -> Iterator[tuple[str, str]]:
        """Every route but POST to an MCP path."""
        for path in self.paths():
            for method in ("GET", "DELETE", "PUT", "OPTIONS"):
                yield method, path
        yield "OPTIONS", "/v1/search"
        for dialect in DIALECTS:
            for route in dialect.rest_routes:
                for operation in route.operations:
                    yield "OPTIONS", fill_path(operation.partition(" ")[2], LURE)
        yield "GET", "/health"
        token = urlsplit(self.stranger_link).path.rpartition("/")[2]
        forged = (token[:-4] + "AAAA", token[::-1], self.stranger_uid, f"..%2f{self.stranger}", "%00")
        for each, route in itertools.product(forged, ("/o", "/open")):
            yield "GET", f"{route}/{each}"
            yield "HEAD", f"{route}/{each}"
        for path in (
            "/",
            "/mcp/server-card",
            "/.well-known/ai-catalog.json",
            "/.well-known/oauth-protected-resource",
            "/.well-known/oauth-protected-resource/mcp",
            "/openapi.json",
            "/docs",
            f"/tenants/{self.stranger}",
            "/open",
            f"/open/x/{self.stranger_uid}",
        ):
            yield "GET", path

    def rest(self) -> Iterator[tuple[str, str, bytes]]:
        """Yield requests of every route of the REST API, with the stranger's ids in their places."""
        ids = {
            "kid": self.stranger_key.key.kid,
            "user": "ana",
            "name": "default.other",
            "doc_id": "plans",
            "ticket": self.stranger,
            "group": "readers",
            "evaluation_id": self.stranger_evaluation,
            "ingestion_id": STRANGER_RUN,
        }
        for route in ROUTE_SCOPES:
            method, _, path = route.partition(" ")
            for body in itertools.chain(self._rest_bodies(), self._own_bodies(path)):
                yield method, path.format_map(ids), body
        for dialect in DIALECTS:
            for route in dialect.rest_routes:
                yield from self.dialect_rest(route)
        for path in ("/v1/openapi.json", "/v1/documents/handbook", f"/v1/documents/{self.stranger_uid}", "/v1/none"):
            yield "GET", path, b""
        yield from (("GET", path, b"") for path in ("/console", "/console/assets/app.js", "/console/assets/none"))
        yield "GET", f"/v1/tenants/{self.stranger}/documents", b""
        source = f"{_SOURCES}/{self.stranger_source}"
        yield from (("GET", source, b""), ("PATCH", source, b'{"policy": {"public": true}}'), ("DELETE", source, b""))
        yield "POST", f"{_SOURCES}/batch-delete", json.dumps({"ks_ids": [self.stranger_source]}).encode()

    def dialect_rest(self, route: RestRoute) -> Iterator[tuple[str, str, bytes]]:
        """Calls of a dialect's route, of the caller's own things and of the stranger's."""
        values = (*self.values(), *_NAMED_BY_PATHS.get(route.path, ()))
        for value, operation in product(values, route.operations):
            method, _, path = operation.partition(" ")
            if value == LURE and path.startswith(tuple(f"/{kind}" for kind in _QUERIES)):
                # A name that an administrator sends is in the audit, as no phrase of a search may be.
                continue
            # One route may serve many operations; the sweep over it is wide without every body.
            bodies = [*self._rest_bodies(), value.encode()] if not route.forms else [value.encode()]
            bodies.append(json.dumps({"query": {"text": value}}).encode())
            bodies += _azure_bodies(value)
            bodies += _opensearch_bodies(value)
            target = fill_path(path, value) + _QUERIES.get(path.split("/")[1].partition("(")[0], "")
            yield from ((method, target, body) for body in bodies[-1 if method == "GET" else 0 :])

    def _rest_bodies(self) -> Iterator[bytes]:
        upload = {"collection": "default", "file_name": "new.txt", "size": 3, "sha256": "0" * 64, "doc_id": "plans"}
        for body in (
            {"phrases": [LURE]},
            {"phrases": [self.stranger_uid, LURE], "top_n": 20, "explain": True},
            {"public": True, "users": [], "any_tags": [], "all_tags": []},
            {"tags": ["red"]},
            {"bm25_weight": 0.5},
            {**upload, "policy": {"public": False, "users": ["ana"], "any_tags": [], "all_tags": []}},
            {"tag": "red", "new_tag": "blue", "plan": True},
            {"token": "e30.e30.e30"},
            {"tenant": self.stranger},
        ):
            yield json.dumps(body).encode()

    def _own_bodies(self, path: str) -> Iterator[bytes]:
        """Yield bodies that a route alone has members for."""
        kid = self.stranger_key.key.kid
        access: list[dict[str, object]] = [
            {"document": "plans"},
            {"document": self.stranger_uid, "user": "ana", "tags": ["red"]},
            {"user": "ana"},
            {"kid": kid},
            {"change": "block", "user": "ana"},
            {"change": "max_tags", "kid": kid, "max_tags": ["*"]},
            {"document": "plans", "user": "ana", "phrases": [LURE]},
        ]
        search: list[dict[str, object]] = [
            {"phrases": [LURE], "collections": ["default", "plans"]},
            {"phrases": [LURE], "collections": ["plans"], "explain": True},
            {"phrases": [LURE], "as": {"user": "ana", "tags": ["red"]}, "explain": True},
            {"phrases": [LURE], "as": {"kid": kid, "user": "ana"}},
        ]
        keys: list[dict[str, object]] = [
            {"name": "desk", "collections": "every"},
            {"tags": ["red"], "expires_in_days": 3},
        ]
        users: list[dict[str, object]] = [{"add_tags": ["red"]}]
        dialects: list[dict[str, object]] = [
            {"dialect": name, "question": LURE, "collection": collection}
            for name, collection in product(("default", "opensearch", "vertex"), ("default", "plans"))
        ]
        question = {"id": "1", "text": LURE, "user": "ana", "tags": ["red"], "relevant": {"plans": 1}}
        by_path = {
            "/v1/search": search,
            "/v1/search/dialects": dialects,
            "/v1/keys/{kid}": keys,
            "/v1/users/{user}": users,
            "/v1/evaluations": [{"name": "n", "questions": [question]}],
        }
        bodies = by_path.get(path, access if path.startswith("/v1/access/") else ())
        yield from (json.dumps(body).encode() for body in bodies)


def register_source(world: World, tenant: str) -> str:
    """Register an MCP source whose every text a stranger alone may know, open to all of its tenant; return its id."""
    schema = {"type": "object", "properties": {"query": {"type": "string", "description": TAG}}}
    declared = {"name": "search", "description": f"Finds {PASSAGE}.", "inputSchema": schema}
    exchange(world.services, gateway=_OneServer(SourceListing([declared], "2025-11-25")))
    key = world.acting_key(tenant, scopes=frozenset({Scope.ADMIN}))
    body = {
        "name": FILE,
        "kind": "remote_mcp",
        "auth_type": "unauthenticated",
        "description": COLLECTION,
        "remote_mcp_parameters": {"server_url": f"https://{USER}.example.com/mcp", "server_label": "foreign"},
        "policy": {"public": True},
        "tools": ["search"],
        "collection_mapping": {"collection": "default", "tool": "search"},
    }
    headers = {"content-type": "application/json", **caller(key)}
    answer = world.request("POST", _SOURCES, headers, json.dumps(body).encode())
    assert answer.status == HTTPStatus.CREATED, answer.payload
    return answer.payload["id"]


class _OneServer:
    """Implements `ports.sources.SourceGateway` by one server for every URL."""

    def __init__(self, listing: SourceListing) -> None:
        self._listing = listing

    def inspect(self, _target: SourceTarget) -> SourceListing:
        return self._listing

    def call(self, _target: SourceTarget, _call: SourceToolCall) -> SourceAnswer:
        content = [{"type": "text", "text": f"The {PASSAGE}."}]
        return SourceAnswer(content, None, False, 1, 1, self._listing.protocol)


def register_tools(world: World, steward: KeyWithSecret) -> None:
    """Register every type of tool of OpenSearch, which are otherwise not there to be called."""
    tools = [{"type": name} for name in OPENSEARCH.tool_names]
    headers = {"content-type": "application/json", **caller(steward, "ana")}
    body = json.dumps({"tools": tools}).encode()
    answer = world.request("POST", "/_plugins/_ml/mcp/tools/_register", headers, body)
    assert answer.status == HTTPStatus.OK, answer.payload


def _opensearch_bodies(value: str) -> list[bytes]:
    """Return searches by a text and by an id, and several in one request."""
    text = json.dumps({"query": {"match": {"content": value}}}).encode()
    by_id = json.dumps({"query": {"ids": {"values": [value]}}}).encode()
    header = json.dumps({"index": value}).encode()
    return [text, by_id, b"\n".join((b"{}", text, header, by_id, b""))]


def _azure_bodies(value: str) -> list[bytes]:
    """Return requests of agents and of knowledge bases."""
    messages = [{"role": "user", "content": [{"type": "text", "text": value}]}]
    intents = [{"type": "semantic", "search": value}]
    return [json.dumps(each).encode() for each in ({"messages": messages}, {"intents": intents})]


def store_evaluation(world: World, tenant: str) -> str:
    """Store an evaluation whose question and first document are the tenant's own, and return its id."""
    stored = evaluation(PASSAGE)
    world.services.installation.evaluations.add(tenant, stored, [question(PASSAGE, FILE)])
    return stored.evaluation_id


def record_run(world: World, tenant: str) -> None:
    """Record a run over the tenant's own collection, started by its own user."""
    progress = RunProgress(COLLECTION, 1.0, 1.0, USER, 1, 0, {}, None)
    world.services.installation.ingestion_runs.put(tenant, STRANGER_RUN, progress)
