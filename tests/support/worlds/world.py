"""The product in a home of its own, and callers who reach it through the gateway's dispatcher alone."""

import asyncio
import json
import secrets
import shutil
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal
from urllib.parse import urlsplit

import pytest

from groundwire import wiring
from groundwire.adapters.local.index.snapshots import follower
from groundwire.domain.access.policy import Policy
from groundwire.domain.access.policy_source import DeclaredPolicy
from groundwire.domain.access.scopes import Scope
from groundwire.domain.access.toolsets import DEFAULT_TOOLSET
from groundwire.domain.documents.source_file import NO_CONTRIBUTOR, Contributor
from groundwire.domain.keys.api_key import CollectionGrant, KeyKind
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.domain.keys.tenant import Tenant
from groundwire.domain.limits import MAX_BURST, MAX_EXPAND_TOKENS, MAX_RATE_PER_MINUTE, MAX_TOP_N
from groundwire.entry.gateway.dispatch import Dispatcher
from groundwire.entry.gateway.events import GatewayRequest
from groundwire.entry.gateway.responses import GatewayResponse
from groundwire.services.ingest.request import IngestRequest, IngestResult
from groundwire.services.keys.admin import KeySpec, KeyWithSecret
from groundwire.settings.environment import Settings
from groundwire.wiring.local.services import LocalServices, open_home
from tests.support.aws.template.routes import deployed_routes
from tests.support.documents.mail_parser import Mails
from tests.support.documents.plain_text_parser import PlainText
from tests.support.models.hashed_words import HashedWords, OnlyHashedWords
from tests.support.models.two_models import TwoModels
from tests.support.registry.key_options import with_options
from tests.support.worlds.exchange import exchange

READ: Final = frozenset({Scope.SEARCH, Scope.VERIFY})
_UNBOUNDED: Final = 1_000_000
_DAY_S: Final = 86_400


def plain_services(chosen: Settings) -> LocalServices:
    """The product with two parts exchanged for cheap ones: the embedding model and the parser."""
    services = open_home(chosen)
    exchange(services, embedders=OnlyHashedWords(), model=HashedWords.model, parser=PlainText())
    return services


@contextmanager
def open_world(home: Path, patch: pytest.MonkeyPatch) -> Generator["World"]:
    """The process's services are those of `home`, with the cheap parts, until the end of the block."""
    patch.setattr("groundwire.wiring.local.services.open_home", plain_services)
    with at_home(home, patch) as world:
        yield world


@contextmanager
def open_wider_world(home: Path, patch: pytest.MonkeyPatch) -> Generator["World"]:
    """As `open_world`, where mails can be read, there are two models, and the smallest index has a cache."""

    def wider_services(chosen: Settings) -> LocalServices:
        services = plain_services(chosen)
        exchange(services, embedders=TwoModels(), parser=Mails())
        return services

    patch.setattr(follower, "CACHE_MIN_ROWS", 1)
    patch.setattr("groundwire.wiring.local.services.open_home", wider_services)
    with at_home(home, patch) as world:
        yield world


@contextmanager
def open_real_world(home: Path, patch: pytest.MonkeyPatch) -> Generator["World"]:
    """The process's services are those of `home`, nothing exchanged."""
    with at_home(home, patch) as world:
        yield world


@contextmanager
def at_home(home: Path, patch: pytest.MonkeyPatch) -> Generator["World"]:
    """The process's services are those of `home`, as `wiring.Services` is by now."""
    patch.setenv("GROUNDWIRE_HOME", str(home))
    wiring.reset()
    # Mangum runs the REST function on the loop of the calling thread.
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    try:
        yield World()
    finally:
        asyncio.set_event_loop(None)
        loop.close()
        wiring.reset()


@cache
def _dispatcher() -> Dispatcher:
    return Dispatcher(deployed_routes())


@dataclass(frozen=True, slots=True)
class Answer:
    """What came over the wire."""

    response: GatewayResponse

    @property
    def status(self) -> int:
        """The HTTP status."""
        return self.response.status

    @property
    def bytes(self) -> bytes:
        """Every byte of headers and body."""
        headers = "\n".join(f"{name}: {value}" for name, value in self.response.headers)
        return headers.encode() + b"\n\n" + self.response.body

    @property
    def payload(self) -> dict[str, Any]:
        """The JSON body."""
        return json.loads(self.response.body)

    @property
    def result(self) -> dict[str, Any]:
        """The result of a call that succeeded."""
        assert self.status == 200, self.response.body
        assert "result" in self.payload, self.payload
        return self.payload["result"]

    @property
    def segments(self) -> list[dict[str, str]]:
        """The passages of a `rag_search`."""
        return self.result["segments"]

    @property
    def texts(self) -> set[str]:
        """What the passages of a `rag_search` say."""
        return {segment["raw_text"] for segment in self.segments}


class World:
    """Owners act through the services, callers through the gateway."""

    @property
    def services(self) -> LocalServices:
        """Those that the handlers use."""
        return wiring.local_services()

    def reopen(self) -> None:
        """As after a restart of the process."""
        wiring.reset()

    def restore_from_backup(self) -> None:
        """Back up the home, remove it, and restore the backup."""
        home = self.services.settings.home
        # Beside the home, which is in memory.
        backup = home.with_name(f"{home.name}-backup")
        self.services.upkeep.back_up(backup)
        wiring.reset()
        shutil.rmtree(home)
        shutil.move(backup, home)

    def tenant(self, name: str) -> str:
        """A new tenant's id; its rate is out of reach, as those of its keys are."""
        made = Tenant(f"t_{secrets.token_hex(8)}", name, _UNBOUNDED, _UNBOUNDED, self.services.clock())
        self.services.stores.tenants.add(made)
        return made.tenant

    def ingest(
        self,
        tenant: str,
        text: str | bytes,
        policy: Policy,
        *,
        path: str,
        doc_id: str | None = None,
        collection: str = "default",
        restores: bool | Literal["its document"] = True,
        contributor: Contributor = NO_CONTRIBUTOR,
    ) -> IngestResult:
        """What came of one file."""
        content = text if isinstance(text, bytes) else text.encode()
        # An owner puts what is wanted, also where it was deleted. The machine of decisions has the runs that must not.
        request = IngestRequest(
            tenant,
            collection,
            path,
            Path(path).name,
            lambda: content,
            DeclaredPolicy(policy, None),
            doc_id,
            None,
            restores=bool(restores),
            restores_content=restores is True,
            contributor=contributor,
        )
        [outcome] = self.services.ingestion.batch(tenant, collection, [request], lambda _done, _total: None)
        return outcome

    def acting_key(
        self,
        tenant: str,
        *,
        max_tags: tuple[str, ...] = ("*",),
        collections: CollectionGrant = "every",
        toolset: str = DEFAULT_TOOLSET,
        scopes: frozenset[Scope] = READ,
        strict_tags: bool = False,
        **options: Any,
    ) -> KeyWithSecret:
        """A key that speaks for end users; `options` are others of its options."""
        order = self._order(tenant, KeyKind.ACT_AS, None, frozenset(), max_tags, collections)
        order = replace(order, scopes=scopes, strict_tags=strict_tags)
        return self.services.administration.key_admin.create(with_options(order, toolset=toolset, **options))

    def slow_key(self, tenant: str, toolset: str) -> KeyWithSecret:
        """A key that speaks for end users, and is admitted once a minute."""
        order = self._order(tenant, KeyKind.ACT_AS, None, frozenset(), ("*",), "every")
        return self.services.administration.key_admin.create(
            replace(with_options(order, toolset=toolset), rate_per_minute=1, burst=1)
        )

    def expanding_key(self, tenant: str) -> KeyWithSecret:
        """Return a key that acts for end users and gets one passage at a time, with the text around it."""
        order = self._order(tenant, KeyKind.ACT_AS, None, frozenset(), ("*",), "every")
        return self.services.administration.key_admin.create(
            with_options(order, top_n=1, expand_tokens=MAX_EXPAND_TOKENS)
        )

    def personal_key(
        self, tenant: str, user: str, tags: frozenset[str], *, collections: CollectionGrant = "every"
    ) -> KeyWithSecret:
        """A key that speaks for its own user."""
        return self.services.administration.key_admin.create(
            self._order(tenant, KeyKind.PERSONAL, user, tags, (), collections)
        )

    def twin(self, key: KeyWithSecret, toolset: str) -> KeyWithSecret:
        """A key of the same rights with another toolset."""
        own = key.key
        order = self._order(own.tenant, own.kind, own.user, own.tags, own.max_tags, own.collections)
        order = replace(order, strict_tags=own.strict_tags, options=own.options)
        return self.services.administration.key_admin.create(with_options(order, toolset=toolset))

    def expired_key(self, tenant: str) -> KeyWithSecret:
        """A key that speaks for end users, made two days ago for one day."""
        admin, clock = copy(self.services.administration.key_admin), self.services.clock
        vars(admin).update(_clock=lambda: clock() - 2 * _DAY_S)
        order = self._order(tenant, KeyKind.ACT_AS, None, frozenset(), ("*",), "every")
        return admin.create(replace(order, expires_in_days=1))

    def tool(self, headers: Mapping[str, str], name: str, **arguments: object) -> Answer:
        """The answer to one `tools/call`."""
        message = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": name, "arguments": arguments},
        }
        return self.post(json.dumps(message).encode(), headers)

    def search(self, headers: Mapping[str, str], *phrases: str) -> Answer:
        """The answer to a `rag_search`."""
        return self.tool(headers, "rag_search", search_phrases=list(phrases))

    def verify(self, headers: Mapping[str, str], uid: str) -> Answer:
        """The answer to a `verify_document_access`."""
        return self.tool(headers, "verify_document_access", segment_uid=uid)

    def post(self, body: bytes, headers: Mapping[str, str]) -> Answer:
        """The answer to a POST to /mcp."""
        return self.request("POST", "/mcp", {"content-type": "application/json", **headers}, body)

    def open(self, link: str) -> Answer:
        """The answer to following a link."""
        return self.request("GET", urlsplit(link).path, {}, b"")

    def request(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> Answer:
        """The answer to any request."""
        sent = (("host", "127.0.0.1:8080"), *headers.items())
        path, _, query = path.partition("?")
        return Answer(_dispatcher().answer(GatewayRequest(method, path, query, sent, body, "127.0.0.1")))

    def _order(
        self,
        tenant: str,
        kind: KeyKind,
        user: str | None,
        tags: frozenset[str],
        max_tags: tuple[str, ...],
        collections: CollectionGrant,
    ) -> KeySpec:
        return KeySpec(
            tenant=tenant,
            name="agent",
            kind=kind,
            user=user,
            tags=tags,
            max_tags=max_tags,
            scopes=READ,
            collections=collections,
            options=replace(USUAL_OPTIONS, top_n=MAX_TOP_N),
            rate_per_minute=MAX_RATE_PER_MINUTE,
            burst=MAX_BURST,
        )


def caller(key: KeyWithSecret, user: str | None = None, tags: frozenset[str] | str | None = None) -> dict[str, str]:
    """Return the headers of a call: the key, and the end user whom it names; "" is a header without a value."""
    headers = {"authorization": f"Bearer {key.secret.reveal()}"}
    if user is not None:
        headers["x-user-id"] = user
    if tags is not None:
        headers["x-session-tags"] = json.dumps(sorted(tags)) if isinstance(tags, frozenset) else tags
    return headers
