"""Company whose people sign in to the page at their identity provider, and a browser with its cookies."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Final

import pytest

from groundwire.domain.access.scopes import Scope
from groundwire.domain.keys.api_key import ApiKey
from groundwire.domain.keys.grants import ALL_COLLECTIONS, KeyKind
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.domain.limits import MAX_BURST, MAX_RATE_PER_MINUTE
from groundwire.entry.gateway.events import GatewayRequest
from groundwire.services.keys.admin import KeySpec
from tests.server.entry.rest.api import dispatcher
from tests.support.isolation.policies import for_tags, for_users
from tests.support.registry.code_provider import CLIENT_ID, CodeProvider, query, running_code_provider
from tests.support.registry.token_issuer import AUDIENCE
from tests.support.worlds.exchange import exchange
from tests.support.worlds.homes import fresh_home
from tests.support.worlds.world import World, open_world

HOST: Final = "127.0.0.1:8080"
PAGE: Final = f"http://{HOST}/console"
START: Final = "/console/sign-in"
BACK: Final = "/console/signed-in"
OWN: Final = {"origin": f"http://{HOST}", "x-page-request": "1"}


@dataclass
class Browser:
    """Browser with a jar of cookies of this server; it keeps the paths of cookies."""

    host: str = HOST
    jar: dict[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])

    def send(self, method: str, target: str, body: bytes = b"", /, **headers: str) -> "Page":
        path, _, sent_query = target.partition("?")
        kept = "; ".join(f"{name}={value}" for name, (value, scope) in self.jar.items() if path.startswith(scope))
        more = {name.replace("_", "-"): value for name, value in headers.items()}
        sent = (("host", self.host), *({"cookie": kept} if kept else {}).items(), *more.items())
        response = dispatcher().answer(GatewayRequest(method, path, sent_query, sent, body, "127.0.0.1"))
        page = Page(response.status, response.headers, response.body)
        for cookie in page.cookies:
            (name, _, value), *attributes = cookie.split("; ")[0].partition("="), *cookie.split("; ")[1:]
            if "Max-Age=0" in attributes:
                self.jar.pop(name, None)
            else:
                self.jar[name] = (value, next(each for each in attributes if each.startswith("Path="))[5:])
        return page

    def get(self, target: str) -> "Page":
        return self.send("GET", target)

    def change(self, method: str, path: str, **body: object) -> "Page":
        """Send a change as the page itself does."""
        sent = json.dumps(body).encode() if body else b""
        return self.send(method, path, sent, content_type="application/json", **OWN)

    def start(self, target: str = START) -> str:
        """Follow the link of the page; return the address of the provider."""
        page = self.get(target)
        assert page.status == 303, page.body
        return page.location

    def come_back(self, parameters: dict[str, str]) -> "Page":
        return self.get(f"{BACK}?{query(parameters)}")

    def finds(self) -> set[str]:
        reply = self.change("POST", "/v1/search", phrases=["pump"])
        assert reply.status == 200, reply.body
        return {row["doc_id"] for row in reply.json["passages"]}


@dataclass(frozen=True, slots=True)
class Page:
    """Answer that a browser got."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes

    @property
    def location(self) -> str:
        return dict(self.headers)["location"]

    @property
    def cookies(self) -> list[str]:
        return [value for name, value in self.headers if name == "set-cookie"]

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Company:
    """Server whose people sign in at a provider, with one tenant of theirs."""

    world: World
    provider: CodeProvider
    tenant: str
    key: ApiKey
    now: list[float]

    def approve(self, address: str, user: str = "ann", /, **claims: object) -> dict[str, str]:
        """Sign a person in at the provider, whose tokens live for an hour."""
        times = {"iat": self.now[0], "exp": self.now[0] + 3_600}
        return self.provider.approve(address, **{"sub": user, "company": self.tenant, **times, **claims})

    def signed_in(self, user: str = "ann", /, **claims: object) -> Browser:
        browser = Browser()
        page = browser.come_back(self.approve(browser.start(), user, **claims))
        assert page.location == PAGE, page
        return browser

    def last_line(self) -> dict[str, Any]:
        log = self.world.services.settings.home / "audit.jsonl"
        return json.loads(log.read_text().splitlines()[-1])

    def create_key(self, **changes: Any) -> ApiKey:
        return self.world.services.administration.key_admin.create_token_key(replace(people(self.tenant), **changes))


def people(tenant: str) -> KeySpec:
    """Return the specification of the tenant's key for tokens."""
    return KeySpec(
        tenant=tenant,
        name="our people",
        kind=KeyKind.OAUTH,
        user=None,
        tags=frozenset(),
        max_tags=("department:*",),
        scopes=frozenset({Scope.SEARCH, Scope.VERIFY}),
        collections=ALL_COLLECTIONS,
        options=USUAL_OPTIONS,
        rate_per_minute=MAX_RATE_PER_MINUTE,
        burst=MAX_BURST,
    )


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[CodeProvider]:
    monkeypatch.setenv("POWERTOOLS_METRICS_DISABLED", "true")
    with running_code_provider() as running:
        for name, value in {
            "PUBLIC_URL": f"http://{HOST}",
            "OAUTH_ISSUER": running.issuer.url,
            "OAUTH_AUDIENCE": AUDIENCE,
            "OAUTH_TENANT_CLAIM": "company",
            "OAUTH_USER_CLAIM": "sub",
            "OAUTH_TAGS_CLAIM": "groups",
            "OAUTH_CLIENT_ID": CLIENT_ID,
        }.items():
            monkeypatch.setenv(f"GROUNDWIRE_{name}", value)
        yield running


@pytest.fixture
def company(provider: CodeProvider, monkeypatch: pytest.MonkeyPatch) -> Iterator[Company]:
    with fresh_home() as home, open_world(home, monkeypatch) as world:
        now = [world.services.clock()]
        exchange(world.services, clock=lambda: now[0])
        tenant = world.tenant("amber")
        key = world.services.administration.key_admin.create_token_key(people(tenant))
        world.ingest(tenant, "The pump of Ann.", for_users("ann"), path="/n/ann.md", doc_id="ann")
        world.ingest(tenant, "The pump of sales.", for_tags("department:sales"), path="/n/s.md", doc_id="sales")
        yield Company(world, provider, tenant, key, now)


def is_not_started(page: Page) -> bool:
    """Return whether the page of a callback has no session, and states that the sign-in was none of this browser."""
    return page.location == f"{PAGE}#sign-in=not_started" and not any("gws." in cookie for cookie in page.cookies)
