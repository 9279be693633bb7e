"""Whatever one tenant's key asks, no byte of another tenant comes back, nor is written down about the call."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from http import HTTPStatus

import pytest

from groundwire.dialects import DIALECTS
from groundwire.domain.access.policy import Policy
from groundwire.domain.access.scopes import ROUTE_SCOPES, Scope
from groundwire.entry.gateway.routing import RouteTable
from groundwire.entry.gateway.template import read_routes
from groundwire.services.keys.admin import KeyWithSecret
from groundwire.settings import environment
from tests.support.worlds.world import World, caller

LURE = "ledger"
"""A word that both tenants' passages hold, so that a search for it would find the strangers' too."""
PASSAGE, FILE, COLLECTION, TAG, USER = "quillwort", "saxifrage", "pennyroyal", "feverfew", "tansy"
STRANGERS = (PASSAGE, FILE, COLLECTION, TAG, USER)
"""Known to the other tenant alone: nobody sends them, so whoever meets them has been shown them."""
OWN = "bramble"


@dataclass(frozen=True)
class Ground:
    """Two tenants; the caller's own, and a stranger's of which the caller knows every id."""

    world: World
    own: str
    stranger: str
    acting: KeyWithSecret
    personal: KeyWithSecret
    steward: KeyWithSecret
    stranger_key: KeyWithSecret
    stranger_uid: str
    stranger_link: str

    def headers(self) -> Iterator[dict[str, str]]:
        """Every way to say who is calling, honest and otherwise."""
        yield caller(self.acting, "ana", frozenset({"red"}))
        yield caller(self.acting)
        yield caller(self.steward, "ana", frozenset({"red"}))
        yield caller(self.personal)
        yield caller(self.personal, "ben")
        yield caller(self.acting, "ana", frozenset({"blue"}))
        yield {}
        key = self.acting.secret.reveal()
        yield {"api-key": key}
        yield {"x-api-key": key, "x-user-id": "ana"}
        yield {"authorization": f"Bearer {key[:-1]}"}
        yield {"authorization": f"Bearer {key}, Bearer {self.stranger_key.secret.reveal()}"}
        for name in ("x-tenant", "x-tenant-id", "tenant", "x-groundwire-tenant"):
            yield {**caller(self.acting, "ana"), name: self.stranger}
        yield {**caller(self.acting), "x-user-id": "ana,ben"}
        yield {**caller(self.acting), "x-session-tags": "[" * 2000}
        yield {**caller(self.acting), "x-session-tags": '["sys:admin"]'}
        yield {**caller(self.acting, "ana"), "mcp-protocol-version": "1999-01-01"}

    def bodies(self) -> Iterator[bytes]:
        """Every method and tool, and what is none."""
        phrases = ([LURE], [self.stranger], [self.stranger_uid, LURE], ['" OR 1=1 --', "*"], [LURE] * 6, [""], ["😀"])
        for phrase in phrases:
            yield _call("tools/call", {"name": "rag_search", "arguments": {"search_phrases": phrase}})
        for uid in (self.stranger_uid, f"../{self.stranger}/{self.stranger_uid}", "x" * 500, ""):
            yield _call("tools/call", {"name": "verify_document_access", "arguments": {"segment_uid": uid}})
            yield _call("tools/call", {"name": "fetch", "arguments": {"id": uid}})
            yield _call("resources/read", {"uri": f"groundwire://segments/{uid}"})
        yield from self._browsing()
        scoped = {"search_phrases": [LURE], "tenant": self.stranger}
        yield _call("tools/call", {"name": "rag_search", "arguments": scoped})
        yield _call("tools/call", {"name": "no_such_tool", "arguments": {}})
        for method in ("initialize", "ping", "tools/list", "server/discover", "resources/list", "notifications/x"):
            yield _call(method, {"protocolVersion": "2025-06-18", "capabilities": {}})
        yield b"not json"
        yield b"[" * 50_000
        yield b'{"jsonrpc": "2.0", "id": 1, "id": 2}'
        yield b"\xff\xfe"
        yield b"[" + b",".join([_call("ping", {})] * 2) + b"]"

    def _browsing(self) -> Iterator[bytes]:
        yield _call("tools/call", {"name": "search", "arguments": {"query": LURE}})
        for doc_id in ("handbook", "plans", "plans/pages/1"):
            yield _call("tools/call", {"name": "fetch", "arguments": {"id": doc_id}})
            yield _call("resources/read", {"uri": f"groundwire://documents/{doc_id}"})
            compared = {"topic": LURE, "first": "handbook", "second": doc_id}
            yield _call("prompts/get", {"name": "compare_sources", "arguments": compared})
        question = {"question": LURE}
        yield _call("prompts/get", {"name": "answer_with_citations", "arguments": question})
        yield _call(
            "prompts/get", {"name": "answer_with_citations", "arguments": {**question, "collection": "default"}}
        )
        for variable, template in (("doc_id", "documents/{doc_id}"), ("collection", "collections/{collection}")):
            reference = {"type": "ref/resource", "uri": f"groundwire://{template}"}
            yield _call("completion/complete", {"ref": reference, "argument": {"name": variable, "value": ""}})
        for method in ("prompts/list", "resources/templates/list"):
            yield _call(method, {})

    def requests(self) -> Iterator[tuple[str, str]]:
        """Every route but POST /mcp."""
        for method in ("GET", "DELETE", "PUT", "OPTIONS"):
            yield method, "/mcp"
        yield "GET", "/health"
        token = self.stranger_link.rpartition("/")[2]
        forged = (token[:-4] + "AAAA", token[::-1], self.stranger_uid, f"..%2f{self.stranger}", "%00")
        for each in forged:
            yield "GET", f"/open/{each}"
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
        """Every route of the REST API, with the stranger's ids wherever one is asked for."""
        ids = {
            "kid": self.stranger_key.key.kid,
            "user": "ana",
            "name": "default.other",
            "doc_id": "plans",
            "ticket": self.stranger,
        }
        for route in ROUTE_SCOPES:
            method, _, path = route.partition(" ")
            for body in self._rest_bodies():
                yield method, path.format_map(ids), body
        for path in ("/v1/openapi.json", "/v1/documents/handbook", f"/v1/documents/{self.stranger_uid}", "/v1/none"):
            yield "GET", path, b""
        yield "GET", f"/v1/tenants/{self.stranger}/documents", b""

    def _rest_bodies(self) -> Iterator[bytes]:
        upload = {"collection": "default", "file_name": "new.txt", "size": 3, "sha256": "0" * 64, "doc_id": "plans"}
        for body in (
            {"phrases": [LURE]},
            {"phrases": [self.stranger_uid, LURE], "top_n": 20, "explain": True},
            {"public": True, "users": [], "any_tags": [], "all_tags": []},
            {"tags": ["red"]},
            {"bm25_weight": 0.5},
            {**upload, "policy": {"public": False, "users": ["ana"], "any_tags": [], "all_tags": []}},
            {"tenant": self.stranger},
        ):
            yield json.dumps(body).encode()


def _call(method: str, params: dict[str, object]) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()


@pytest.fixture
def ground(world: World) -> Ground:
    own, stranger = world.tenant("amber"), world.tenant("birch")
    own_policy = Policy(public=False, users=frozenset({"ana"}), any_tags=frozenset({"red"}), all_tags=frozenset())
    policy = Policy(public=True, users=frozenset({USER}), any_tags=frozenset({TAG}), all_tags=frozenset())
    world.ingest(own, f"The {LURE} of {OWN}.", own_policy, path="/nowhere/own.txt", doc_id="handbook")
    world.ingest(
        stranger,
        f"The {LURE} of {PASSAGE}.",
        policy,
        path=f"/nowhere/{FILE}.txt",
        doc_id="plans",
        collection=COLLECTION,
    )
    world.services.users.set(stranger, USER, frozenset({TAG}))
    stranger_key = world.acting_key(stranger)
    [segment] = world.search(caller(stranger_key, USER, frozenset({TAG})), LURE).segments
    return Ground(
        world=world,
        own=own,
        stranger=stranger,
        acting=world.acting_key(own, max_tags=("red",)),
        personal=world.personal_key(own, "ana", frozenset({"red"})),
        steward=world.acting_key(own, max_tags=("red",), scopes=frozenset(Scope)),
        stranger_key=stranger_key,
        stranger_uid=segment["segment_uid"],
        stranger_link=segment["source_url"],
    )


def sweep(ground: Ground) -> list[bytes]:
    """Every byte that every request of the caller is answered with."""
    world = ground.world
    answers = [world.post(body, headers) for headers in ground.headers() for body in ground.bodies()]
    for headers in ground.headers():
        answers += [world.request(method, path, headers, b"") for method, path in ground.requests()]
        as_json = {"content-type": "application/json", **headers}
        answers += [world.request(method, path, as_json, body) for method, path, body in ground.rest()]
    # Refused for its rate, a call would prove nothing.
    assert all(answer.status != HTTPStatus.TOO_MANY_REQUESTS for answer in answers)
    return [answer.bytes for answer in answers]


def test_no_answer_to_any_request_holds_a_strangers_word(ground: Ground) -> None:
    answers = sweep(ground)
    assert any(OWN.encode() in answer for answer in answers)
    leaked = [(word, answer) for answer in answers for word in STRANGERS if word.encode() in answer]
    assert leaked == []


def test_neither_audit_nor_logs_hold_a_strangers_word_a_documents_text_or_a_key(
    ground: Ground, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    home = ground.world.services.settings.home
    before = len((home / "audit.jsonl").read_bytes())
    capfd.readouterr()
    caplog.clear()
    sweep(ground)
    printed = capfd.readouterr()
    records = [str(vars(record)) for record in caplog.records]
    written = "\n".join([(home / "audit.jsonl").read_text()[before:], printed.out, printed.err, *records])
    secret = [
        key.secret.reveal()[-49:] for key in (ground.acting, ground.personal, ground.steward, ground.stranger_key)
    ]
    assert ground.acting.key.kid in written
    assert [word for word in (*STRANGERS, OWN, LURE, *secret) if word in written] == []


def test_every_call_to_a_handler_leaves_one_line_and_the_chain_holds(ground: Ground) -> None:
    audit = ground.world.services.audit
    before = audit.verify().intact_lines
    requests = [(headers, body) for headers in ground.headers() for body in ground.bodies()]
    for headers, body in requests:
        ground.world.post(body, headers)
    after = audit.verify()
    assert after.is_intact
    assert after.intact_lines - before == len(requests)


def test_the_sweep_calls_every_route_and_every_tool(ground: Ground) -> None:
    root = environment.checkout_folder()
    assert root is not None
    routes = read_routes(root / "template.yaml")
    table = RouteTable(routes)
    rest = [(method, path) for method, path, _ in ground.rest()]
    matched = [table.match(method, path) for method, path in [("POST", "/mcp"), *ground.requests(), *rest]]
    assert {match.route.key for match in matched if match} == {route.key for route in routes}
    bodies = list(ground.bodies())
    operations = {operation for dialect in DIALECTS for operation in dialect.scope_rows}
    assert [each for each in operations if not any(each.encode() in body for body in bodies)] == []
