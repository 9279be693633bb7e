"""The challenge of a refused call reaches the client also where API Gateway renames its header."""

import json
from collections.abc import Iterator

import pytest

from groundwire.dialects import DIALECTS
from tests.support.worlds.homes import fresh_home
from tests.support.worlds.world import Answer, World, open_world

METADATA = "http://127.0.0.1:8080/.well-known/oauth-protected-resource/mcp"
PATHS = sorted({path for dialect in DIALECTS for path in dialect.mcp_patterns if "{" not in path})


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    monkeypatch.setenv("POWERTOOLS_METRICS_DISABLED", "true")
    with fresh_home() as home, open_world(home, monkeypatch) as opened:
        yield opened


@pytest.fixture
def sign_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROUNDWIRE_OAUTH_ISSUER", "https://login.example")
    monkeypatch.setenv("GROUNDWIRE_OAUTH_AUDIENCE", "groundwire")
    monkeypatch.setenv("GROUNDWIRE_OAUTH_TENANT", "t_1")
    monkeypatch.setenv("GROUNDWIRE_OAUTH_USER_CLAIM", "sub")


def refused(world: World, method: str, path: str) -> Answer:
    answer = world.request(method, path, {"content-type": "application/json"}, b"{}")
    assert answer.status == 401
    return answer


def challenges(answer: Answer) -> tuple[str | None, str | None]:
    headers = dict(answer.response.headers)
    return headers.get("www-authenticate"), headers.get("x-www-authenticate")


@pytest.mark.parametrize("path", [*PATHS, *(f"{path}/" for path in PATHS), "/v1/keys", "/opensearch", "/agents"])
def test_a_refused_call_has_its_challenge_twice(world: World, path: str) -> None:
    method = "POST" if "mcp" in path else "GET"
    named, copied = challenges(refused(world, method, path))
    assert named is not None
    assert copied == named
    assert ("Basic" in named) == path.startswith("/opensearch")


@pytest.mark.usefixtures("sign_in")
def test_where_people_sign_in_the_body_names_the_metadata_as_the_challenge_does(world: World) -> None:
    on_mcp, on_rest = refused(world, "POST", "/mcp"), refused(world, "GET", "/v1/keys")
    for answer in (on_mcp, on_rest):
        named, copied = challenges(answer)
        assert f'resource_metadata="{METADATA}"' in str(named)
        assert copied == named
    assert json.loads(on_mcp.response.body)["error"]["data"]["resource_metadata"] == METADATA
    assert json.loads(on_rest.response.body)["error"]["resource_metadata"] == METADATA
    metadata = world.request("GET", "/.well-known/oauth-protected-resource/mcp", {}, b"")
    assert (metadata.status, metadata.payload["resource"]) == (200, "http://127.0.0.1:8080/mcp")


def test_an_admitted_call_has_no_challenge(world: World) -> None:
    key = world.acting_key(world.tenant("amber")).secret.reveal()
    answer = world.request(
        "POST", "/mcp", {"authorization": f"Bearer {key}", "content-type": "application/json"}, b"{}"
    )
    assert challenges(answer) == (None, None)
