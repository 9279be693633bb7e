"""Two tenants with keys of every kind and documents of every policy, in which each word identifies its owner."""

import json
import re
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import pytest

from groundwire.domain.access.policy import Policy
from groundwire.domain.keys.tenant import Tenant
from groundwire.entry.gateway.dispatch import RouteTable
from groundwire.entry.gateway.events import GatewayRequest, authorizer_event, function_event
from groundwire.entry.gateway.lambda_runtime import LambdaFunction, load_function
from groundwire.entry.gateway.template import FunctionSpec
from groundwire.ports import DocumentVersion
from groundwire.services.keys.admin import KeyWithSecret
from groundwire.settings import environment
from groundwire.wiring.local.services import LocalServices
from tests.support.aws.template.routes import deployed_route, deployed_routes
from tests.support.documents.plain_text_parser import PICTURE, PlainText
from tests.support.entry.server_builds import open_with_fixtures
from tests.support.models.hashed_words import HashedWords, OnlyHashedWords
from tests.support.worlds.exchange import exchange
from tests.support.worlds.homes import fresh_home
from tests.support.worlds.world import World, caller, open_real_world, open_world

ROUTE: Final = "ANY /mcp"
LURE: Final = "ledger"
"""In every passage, so that a search for it would find whatever may be found."""
CANARY: Final = re.compile(r"qzx[a-z]{5}")
USERS: Final = ("ana", "ben", "cem")
RED, BLUE, KEPT = "qzxredtg", "qzxbluet", "qzxkeptt"
_UNBOUNDED: Final = 100_000_000
_POLICIES: Final = (
    Policy(public=True, users=frozenset(), any_tags=frozenset(), all_tags=frozenset()),
    Policy(public=False, users=frozenset({"ana"}), any_tags=frozenset(), all_tags=frozenset()),
    Policy(public=False, users=frozenset(), any_tags=frozenset({RED, KEPT}), all_tags=frozenset()),
    Policy(public=False, users=frozenset(), any_tags=frozenset(), all_tags=frozenset({RED, BLUE})),
    Policy(public=False, users=frozenset({"ben"}), any_tags=frozenset({BLUE}), all_tags=frozenset()),
    Policy(public=False, users=frozenset(), any_tags=frozenset(), all_tags=frozenset()),
)


@dataclass(frozen=True)
class Held:
    """A document; `secret` is a word of its text, which nobody ever sends, the others are names that may be sent."""

    tenant: str
    collection: str
    policy: Policy
    doc_id: str
    file_name: str
    secret: str
    segment: str


@dataclass(frozen=True)
class House:
    """One of the tenants: its documents, its keys, and what clients with those keys were given."""

    tenant: str
    keys: tuple[KeyWithSecret, ...]
    documents: tuple[Held, ...]
    sessions: tuple[str, ...]
    tokens: tuple[str, ...]

    @property
    def secrets(self) -> tuple[str, ...]:
        """Return the values that no other tenant's client may get."""
        return (self.tenant, *(key.key.kid for key in self.keys), *self.sessions, *self.tokens)


class Functions:
    """The functions before the services of this process, loaded as they are deployed."""

    def __init__(self) -> None:
        self._routes = RouteTable(deployed_routes())
        self._loaded: dict[str, LambdaFunction] = {}
        route = deployed_route(ROUTE)
        for spec in (route.authorizer, route.function):
            assert spec is not None
            self._load(spec)

    def answer(self, request: GatewayRequest) -> tuple[dict[str, Any], dict[str, Any]]:
        """The event that the function of the path got, and what it returned; the route is that of every method."""
        match = self._routes.match("POST", request.raw_path)
        assert match is not None, request
        assert match.route.authorizer is not None, request
        event = function_event(request, match.route.key, match.parameters)
        decided: Any = self._load(match.route.authorizer).invoke(authorizer_event(event))
        context: Any = event["requestContext"]
        admitted = {**event, "requestContext": {**context, "authorizer": {"lambda": decided["context"]}}}
        answer: Any = self._load(match.route.function).invoke(admitted)
        return admitted, answer

    def _load(self, spec: FunctionSpec) -> LambdaFunction:
        if spec.name not in self._loaded:
            self._loaded[spec.name] = load_function(spec)
        return self._loaded[spec.name]


class TwoTenants:
    """Both houses, and the functions before them."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.answer = Functions().answer
        self.houses = tuple(self._house(letter) for letter in "ab")
        self.by_word = {
            word: held
            for house in self.houses
            for held in house.documents
            for word in (held.doc_id, held.file_name, held.secret)
        }
        self.key_of = {key.key.kid: (key, house) for house in self.houses for key in house.keys}

    def _house(self, letter: str) -> House:
        world, tenant = self.world, f"t_{letter * 16}"
        world.services.stores.tenants.add(Tenant(tenant, f"house-{letter}", _UNBOUNDED, _UNBOUNDED, 0.0))
        world.services.stores.users.set(tenant, "cem", frozenset({KEPT}))
        names = [f"qzx{letter}{kind}{chr(97 + n)}{where}x" for n in range(6) for where in "ds" for kind in "ifp"]
        documents = tuple(
            self._document(tenant, _POLICIES[n // 2], "default" if n % 2 == 0 else f"qzx{letter}shlf", names[3 * n :])
            for n in range(12)
        )
        keys = (
            world.acting_key(tenant),
            world.acting_key(tenant, toolset="openai"),
            world.acting_key(tenant, toolset="mindset", max_tags=(RED,), collections=frozenset({"default"})),
            world.personal_key(tenant, "ana", frozenset({BLUE})),
        )
        sessions = tuple(self._session(key) for key in keys[:2])
        return House(tenant, keys, documents, sessions, tuple(self._tokens(tenant, keys[0])))

    def _document(self, tenant: str, policy: Policy, collection: str, names: list[str]) -> Held:
        doc_id, file_name, secret = names[:3]
        text = f"The {LURE} of {secret} is here.\n\nMore of {secret} in this {LURE}.\n\n{PICTURE}The {LURE} of {secret}"
        outcome = self.world.ingest(
            tenant, text, policy, path=f"/nowhere/{file_name}.txt", doc_id=doc_id, collection=collection
        )
        assert outcome.document is not None, outcome
        version = DocumentVersion(doc_id, outcome.document.version)
        segment = self.world.services.stores.indexes.for_tenant(tenant).segments(version)[0].uid
        return Held(tenant, collection, policy, doc_id, file_name, secret, segment)

    def _session(self, key: KeyWithSecret) -> str:
        hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "agent", "version": "1"}}
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}).encode()
        headers = (("content-type", "application/json"), *caller(key, "ana").items())
        _event, answer = self.answer(GatewayRequest("POST", "/mcp", "", headers, body, "127.0.0.1"))
        return str(answer["headers"]["mcp-session-id"])

    def _tokens(self, tenant: str, key: KeyWithSecret) -> Generator[str]:
        """Sealed by the server, each for something: a list's second page, a round's state, a link, and none of them."""
        seal = self.world.services.stores.seal
        owner = [tenant, key.key.kid, "ana"]
        for method in ("tools/list", "prompts/list", "resources/list", "resources/templates/list"):
            yield seal.seal("cursor", json.dumps([*owner, method, "1"]).encode())
        state = {"call": [*owner, "tools/call", "rag_search", ""], "expires": 4e9, "state": None}
        yield seal.seal("request-state", json.dumps(state).encode())
        yield seal.seal("open", b"{}")


@contextmanager
def opened() -> Generator[TwoTenants]:
    """The product's own build."""
    with pytest.MonkeyPatch.context() as patch, fresh_home() as home:
        _quiet(patch)
        with open_world(home, patch) as world:
            yield TwoTenants(world)


@contextmanager
def opened_with_fixtures() -> Generator[TwoTenants]:
    """The build whose tools and prompts ask back, tell their progress and return every kind of content."""
    with pytest.MonkeyPatch.context() as patch, fresh_home() as home:
        _quiet(patch)
        patch.setattr("groundwire.wiring.local.services.open_home", _with_fixtures)
        with open_real_world(home, patch) as world:
            yield TwoTenants(world)


def _with_fixtures(chosen: environment.Settings) -> LocalServices:
    services = open_with_fixtures(chosen)
    exchange(services, embedders=OnlyHashedWords(), model=HashedWords.model, parser=PlainText())
    return services


def _quiet(patch: pytest.MonkeyPatch) -> None:
    patch.setenv("POWERTOOLS_METRICS_DISABLED", "true")
    patch.setenv("POWERTOOLS_LOG_LEVEL", "WARNING")
