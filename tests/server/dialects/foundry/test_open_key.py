"""`groundwire serve --open-as KEY`: calls of this machine without a key on /edgeai/mcp count as a personal key."""

import asyncio
import json
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from groundwire.dialects import FOUNDRY
from groundwire.domain.access.scopes import Scope
from groundwire.domain.errors import InvalidInput
from groundwire.domain.keys.grants import KeyKind
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.entry.cli.server.open_key import LOOPBACK, check_options, open_access
from groundwire.entry.gateway.dispatch import Dispatcher
from groundwire.entry.local_server.allowed_hosts import HostAllowList
from groundwire.entry.local_server.application import GatewayApplication, ServerParts
from groundwire.services.keys.admin import KeySpec
from tests.server.dialects.foundry.edge import PATH, PLAIN
from tests.support.aws.template.routes import deployed_routes
from tests.support.entry.command import Command
from tests.support.worlds.world import World

CALL = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "search_text", "arguments": {"query": "safe"}},
}


PERSONAL = KeySpec(
    "filled in by `key_of`",
    "port",
    KeyKind.PERSONAL,
    user="ana",
    tags=frozenset(),
    max_tags=(),
    scopes=frozenset({Scope.SEARCH}),
    collections="every",
    options=USUAL_OPTIONS,
)
"""Order of ana's key, with the scope `search` alone."""


def key_of(world: World, tenant: str, order: KeySpec) -> str:
    """Return the text of a new key of the tenant."""
    return world.services.administration.key_admin.create(replace(order, tenant=tenant)).secret.reveal()


@pytest.fixture
def key(world: World, tenant: str) -> str:
    return key_of(world, tenant, PERSONAL)


def send(
    world: World, key: str, headers: Mapping[str, str] | None = None, path: str = PATH, body: object = CALL
) -> httpx.Response:
    """Return the answer of a server that was started with the key."""

    async def post() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(gateway), base_url="http://127.0.0.1:8080") as http:
            return await http.post(path, content=json.dumps(body), headers={**PLAIN, **(headers or {})})

    hosts = HostAllowList(world.services.settings.public_url, [])
    opened = open_access(world.services, key)
    with closing(
        GatewayApplication(Dispatcher(deployed_routes()), hosts, parts=ServerParts(open_access=opened))
    ) as gateway:
        return asyncio.run(post())


def test_a_call_without_a_key_finds_what_the_user_of_the_key_may_read(world: World, key: str) -> None:
    answer = send(world, key)
    results = answer.json()["result"]["structuredContent"]["edgeragapp"]["results"]
    assert [each["file_path"] for each in results] == ["safe.txt"]
    [record] = world.services.stores.audit.read(1)
    assert (record["user"], record["tool"]) == ("ana", "search_text")


def test_the_open_path_with_a_slash_at_its_end_is_the_same_path(world: World, key: str) -> None:
    assert send(world, key, path="/edgeai/mcp/").status_code == 200


@pytest.mark.parametrize("path", ["/mcp", "/v1/status", "/edgeai/%6Dcp", "/edgeai/mcp//", "/edgeai/mcp%2F"])
def test_no_other_path_is_open(world: World, key: str, path: str) -> None:
    assert send(world, key, path=path).status_code in {401, 404}


@pytest.mark.parametrize(
    "headers",
    [
        {"authorization": "Bearer gw_local_wrong"},
        {"authorization": ""},
        {"api-key": ""},
        {"x-api-key": "wrong"},
        {"x-forwarded-for": "192.0.2.1"},
        {"forwarded": "for=192.0.2.1"},
        {"via": "1.1 proxy"},
        {"x-forwarded-proto": "https"},
        {"cf-connecting-ip": "192.0.2.1"},
    ],
)
def test_a_wrong_key_and_the_client_of_a_proxy_are_refused(world: World, key: str, headers: dict[str, str]) -> None:
    assert send(world, key, headers).status_code == 401


def test_a_page_of_the_server_itself_needs_no_key(world: World, key: str) -> None:
    assert send(world, key, {"origin": "http://127.0.0.1:8080"}).status_code == 200


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "null",
        "http://127.0.0.1.evil.example",
        "",
        "http://localhost:3000",
        "http://127.0.0.1:3000",
    ],
)
def test_a_page_of_another_origin_is_refused(world: World, key: str, origin: str) -> None:
    assert send(world, key, {"origin": origin}).status_code == 401


def test_a_page_of_an_origin_that_may_call_with_a_key_may_not_call_without_one(
    world: World, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDWIRE_ALLOWED_ORIGINS", "https://app.example.com")
    world.reopen()
    assert send(world, key, {"origin": "https://app.example.com"}).status_code == 401


def test_another_host_name_is_refused(world: World, key: str) -> None:
    assert send(world, key, {"host": "rebound.example"}).status_code == 421


def test_no_header_names_another_user(world: World, key: str) -> None:
    for headers in ({"x-user-id": "ben"}, {"x-session-tags": '["a"]'}):
        assert send(world, key, headers).status_code == 403


def test_a_revoked_key_opens_nothing(world: World, tenant: str, key: str) -> None:
    opened = open_access(world.services, key)
    world.services.administration.key_admin.revoke(tenant, world.services.stores.keys.all(tenant)[0].kid)
    with pytest.raises(InvalidInput, match="personal key"):
        open_access(world.services, key)
    assert key not in repr(opened)


@pytest.mark.parametrize(
    "order",
    [
        replace(PERSONAL, scopes=frozenset({Scope.SEARCH, Scope.VERIFY})),
        replace(PERSONAL, scopes=frozenset({Scope.VERIFY})),
        replace(PERSONAL, scopes=frozenset({Scope.SEARCH, Scope.ADMIN})),
        replace(PERSONAL, options=replace(USUAL_OPTIONS, dialects=frozenset({"openai"}))),
        replace(
            PERSONAL,
            kind=KeyKind.ACT_AS,
            user=None,
            max_tags=("*",),
            scopes=frozenset({Scope.SEARCH, Scope.ACT_AS}),
        ),
    ],
)
def test_a_key_with_more_than_the_search_is_refused(world: World, tenant: str, order: KeySpec) -> None:
    with pytest.raises(InvalidInput, match="--open-as needs"):
        open_access(world.services, key_of(world, tenant, order))


def test_a_text_that_is_no_key_is_refused(world: World, tenant: str) -> None:
    for text in ("", "gw_local_wrong", "ana"):
        with pytest.raises(InvalidInput, match="personal key"):
            open_access(world.services, text)


def test_a_server_that_is_known_to_others_or_without_the_dialect_is_refused(
    world: World, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDWIRE_PUBLIC_URL", "https://rag.example.com")
    world.reopen()
    with pytest.raises(InvalidInput, match="GROUNDWIRE_PUBLIC_URL"):
        open_access(world.services, key)
    monkeypatch.delenv("GROUNDWIRE_PUBLIC_URL")
    monkeypatch.setenv("GROUNDWIRE_DIALECTS", "default")
    world.reopen()
    with pytest.raises(InvalidInput, match="`foundry`"):
        open_access(world.services, key)


@pytest.mark.parametrize(
    ("host", "public_url", "allowed_hosts", "trusted_proxies", "named"),
    [
        ("0.0.0.0", None, [], [], "--host"),
        ("::", None, [], [], "--host"),
        (LOOPBACK, "http://127.0.0.1:8080", [], [], "--public-url"),
        (LOOPBACK, None, ["rag.example.com"], [], "--allowed-host"),
        (LOOPBACK, None, [], [LOOPBACK], "--trusted-proxy"),
    ],
)
def test_options_that_let_others_in_are_refused(
    host: str, public_url: str | None, allowed_hosts: list[str], trusted_proxies: list[str], named: str
) -> None:
    check_options(LOOPBACK, None, [], [])
    with pytest.raises(InvalidInput, match=named):
        check_options(host, public_url, allowed_hosts, trusted_proxies)


def test_the_dialect_has_the_one_path_that_is_opened() -> None:
    assert FOUNDRY.mcp_paths == (PATH,)


def test_the_command_refuses_to_let_others_in(tmp_path: Path) -> None:
    refused = Command(tmp_path / "home", {})("serve", "--open-as", "gw_local_x", "--host", "0.0.0.0")
    assert refused.code != 0
    assert "--host" in refused.line
