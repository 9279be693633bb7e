"""Sign-in by the identity provider in a stack: the api function opens a session, and the authorizer finds it."""

import os
from collections.abc import Iterator
from typing import Any, Final

import boto3
import pytest

from groundwire import wiring
from groundwire.entry.gateway.events import GatewayRequest
from tests.server.entry.rest.deployed import TENANT, answer_of, deployed
from tests.server.entry.rest.provider_company import BACK, START, people
from tests.support.aws.template.routes import deployed_route
from tests.support.registry.code_provider import CodeProvider, query

HOST: Final = "api.example"
CONSOLE_ROUTE: Final = "GET /console/{proxy+}"
V1_ROUTE: Final = "ANY /v1/{proxy+}"


@pytest.fixture
def stack(provider: CodeProvider, monkeypatch: pytest.MonkeyPatch) -> Iterator[CodeProvider]:
    with deployed(monkeypatch):
        wiring.admin_services().administration.key_admin.create_token_key(people(TENANT))
        yield provider


def send(route: str, method: str, target: str, cookies: list[str], **headers: str) -> dict[str, Any]:
    """Return the answer of the stack to a browser with these cookies."""
    path, _, sent_query = target.partition("?")
    more = [(name.replace("_", "-"), value) for name, value in headers.items()]
    kept = [("cookie", "; ".join(cookies))] if cookies else []
    request = GatewayRequest(method, path, sent_query, (("host", HOST), *kept, *more), b"", "127.0.0.1")
    return answer_of(deployed_route(route), request)


def pair(cookie: str) -> str:
    return cookie.partition(";")[0]


def begin(provider: CodeProvider) -> tuple[str, str]:
    """Return the cookie of an attempt, and the address at which the provider leads its browser back."""
    start = send(CONSOLE_ROUTE, "GET", START, [])
    now = wiring.admin_services().clock()
    claims = {"sub": "ann", "company": TENANT, "iat": now, "exp": now + 3_600}
    [attempt] = map(pair, start["cookies"])
    return attempt, f"{BACK}?{query(provider.approve(start['headers']['location'], **claims))}"


def sign_in(provider: CodeProvider) -> str:
    """Return the cookie of somebody who signed in."""
    attempt, target = begin(provider)
    back = send(CONSOLE_ROUTE, "GET", target, [attempt])
    assert (back["statusCode"], back["headers"]["location"]) == (303, f"https://{HOST}/console")
    removed, session = map(pair, back["cookies"])
    assert removed == "__Host-groundwire-sign-in="
    # The code was used.
    assert send(CONSOLE_ROUTE, "GET", target, [attempt])["headers"]["location"].endswith("#sign-in=refused")
    return session


def test_a_person_signs_in_calls_and_signs_out(stack: CodeProvider) -> None:
    session = sign_in(stack)
    whoami = send(V1_ROUTE, "GET", "/v1/whoami", ["theme=dark", session])
    assert (whoami["statusCode"], '"ann"' in whoami["body"]) == (200, True)
    own = {"origin": f"https://{HOST}", "x_page_request": "1"}
    assert send(V1_ROUTE, "DELETE", "/v1/session", [session], **own)["statusCode"] == 200
    assert send(V1_ROUTE, "GET", "/v1/whoami", [session])["statusCode"] == 401


def test_a_store_that_does_not_answer_signs_nobody_in_and_admits_nobody(stack: CodeProvider) -> None:
    session = sign_in(stack)
    attempt, target = begin(stack)
    table = os.environ["GROUNDWIRE_SESSIONS_TABLE"]
    boto3.client("dynamodb").delete_table(TableName=table)  # pyright: ignore[reportUnknownMemberType]
    back = send(CONSOLE_ROUTE, "GET", target, [attempt])
    assert back["headers"]["location"].endswith("#sign-in=unavailable")
    assert not any("gws." in cookie for cookie in back["cookies"])
    assert send(V1_ROUTE, "GET", "/v1/whoami", [session])["statusCode"] == 503
