"""What comes in and is no proper request: one form of answer, no word of the inside, always a line in the audit."""

import json
from collections.abc import Mapping
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from groundwire import wiring
from groundwire.domain.access.scopes import Scope
from groundwire.domain.errors import Unavailable
from groundwire.entry.gateway.events import GatewayRequest, function_event
from groundwire.entry.gateway.lambda_runtime import LocalLambdaContext
from groundwire.entry.rest import handler
from groundwire_mcp.limits import MAX_BODY_BYTES
from tests.server.entry.rest.api import Api, key
from tests.support.plugins.draws import examples
from tests.support.worlds.world import World

USER: Final = "/v1/users/ann"


def lines(world: World) -> list[dict[str, Any]]:
    """The audit log."""
    files = [file for file in world.services.settings.home.rglob("*.jsonl") if "audit" in str(file)]
    return [json.loads(line) for file in files for line in file.read_text().splitlines()]


@pytest.mark.parametrize(
    ("body", "status", "stated"),
    [
        (b"", 400, "not JSON"),
        (b"{", 400, "not JSON"),
        (b"[]", 400, "body"),
        (b"null", 400, "body"),
        (b'"x"', 400, "body"),
        (b'{"tags": ["a"], "tags": ["b"]}', 400, "twice"),
        (b'{"tags": [NaN]}', 400, "NaN"),
        (b'{"tags": ["\\ud800"]}', 400, "surrogate"),
        (b'{"tags": ["a"], "more": 1}', 400, "more"),
        (b'{"tags": "a"}', 400, "tags"),
        (b'{"tags": [1]}', 400, "tags"),
        (b'{"tags": ["sys:root"]}', 400, "reserved"),
        (b"\xff\xfe", 400, "UTF-8"),
        (b"[" * 40 + b"]" * 40, 400, "deep"),
        (b'{"tags": [' + b'"a",' * 20_000 + b'"a"]}', 400, "values"),
        (b" " * (MAX_BODY_BYTES + 1), 413, "smaller"),
    ],
)
def test_a_body_that_does_not_fit_is_refused_with_the_reason(admin: Api, body: bytes, status: int, stated: str) -> None:
    refused = admin.send("PUT", USER, body)

    assert (refused.status, refused.code) == (status, "invalid")
    assert stated in refused.json["error"]["message"]
    assert admin.get("/v1/users").json["users"] == []


def test_a_body_that_does_not_say_that_it_is_json_is_not_read_as_json(admin: Api) -> None:
    refused = admin.send("PUT", USER, b'{"tags": ["a"]}', content_type="text/plain")

    assert (refused.status, refused.code) == (400, "invalid")


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/v1/nothing", 404, "not_found"),
        ("GET", "/v1/keys//", 404, "not_found"),
        ("GET", "/v1/../v1/keys", 404, "not_found"),
        ("PATCH", "/v1/keys", 405, "invalid"),
        ("POST", "/v1/openapi.json", 404, "not_found"),
        ("PUT", "/v1/users/", 405, "invalid"),
    ],
)
def test_an_unknown_route_or_method_is_reported_in_the_same_form(
    admin: Api, method: str, path: str, status: int, code: str
) -> None:
    answer = admin.send(method, path, b'{"tags": []}')

    assert (answer.status, answer.code) == (status, code)


def test_whoever_has_no_key_learns_nothing_but_that_one_is_needed(world: World, tenant: str) -> None:
    good = key(world, tenant, Scope.ADMIN).secret.reveal()
    strangers = [Api({}), Api({"authorization": "Bearer x"}), Api({"authorization": f"Bearer {good[:-1]}x"})]

    answers = [stranger.get(path) for stranger in strangers for path in ("/v1/keys", "/v1/nothing")]

    assert {(answer.status, answer.code, answer.body) for answer in answers} == {
        (401, "unauthenticated", answers[0].body)
    }
    assert answers[0].headers["www-authenticate"] == "Bearer"


def test_a_key_sent_twice_and_a_personal_key_with_a_user_are_refused_as_on_mcp(admin: Api) -> None:
    twice = admin.stating(api_key="gw_local_x").get("/v1/status")
    posing = admin.stating(x_user_id="ann").get("/v1/status")

    assert (twice.status, twice.code) == (400, "invalid")
    assert (posing.status, posing.code) == (403, "denied")


@pytest.mark.parametrize(
    "context",
    [
        {},
        {"authorizer": {}},
        {"authorizer": {"lambda": {"decision": "admitted"}}},
        {"authorizer": {"lambda": {"decision": "admitted", "tenant": "t_1", "kid": "k", "scopes": '["admin"]'}}},
        {"authorizer": {"jwt": {"claims": {"scope": "admin"}}}},
    ],
)
def test_without_the_authorizers_whole_word_nobody_is_let_in_whatever_the_headers_say(
    world: World, tenant: str, context: Mapping[str, object]
) -> None:
    headers = (("authorization", f"Bearer {key(world, tenant, Scope.ADMIN).secret.reveal()}"), ("host", "localhost"))
    event: Any = function_event(
        GatewayRequest("GET", "/v1/keys", "", headers, b"", "127.0.0.1"), "ANY /v1/{proxy+}", {}
    )
    event["requestContext"].update(context)

    answer: Any = handler(event, LocalLambdaContext("api", "128", 1e12))

    assert answer["statusCode"] == 401
    assert lines(world)[-1]["decision"] == "unauthenticated"


def test_every_call_writes_one_audit_line_without_a_secret(world: World, admin: Api) -> None:
    made = admin.post("/v1/keys", name="n", kind="personal", user="ann", scopes=["search"], collections="every").json
    admin.put(USER, tags=["clearance:high"])
    admin.get("/v1/nothing")
    admin.get(f"/v1/nothing/{made['key']}/{'x/' * 200}")
    admin.send("PUT", USER, b"{")
    for path in ("/v1/keys", "/v1/keys/secret-path", "/v1/secret-path"):
        Api({"authorization": "Bearer forged-key"}).get(path)

    reported = lines(world)

    assert [(line.get("route"), line["outcome"], line["status"]) for line in reported] == [
        ("POST /v1/keys", "answered", 201),
        ("PUT /v1/users/{user}", "answered", 200),
        (None, "not_found", 404),
        (None, "not_found", 404),
        ("PUT /v1/users/{user}", "invalid", 400),
        ("GET /v1/keys", "not_admitted", 401),
        ("/v1", "not_admitted", 401),
        ("/v1", "not_admitted", 401),
    ]
    assert [line["path"][:20] for line in reported if "path" in line] == ["GET /v1/nothing", "GET /v1/nothing/…/x/"]
    assert [len(line["path"]) <= 210 for line in reported if "path" in line] == [True, True]
    assert [line.get("address") for line in reported] == [*[None] * 5, *["127.0.0.1"] * 3]
    assert (reported[0]["key"], reported[1]["entry"], reported[0]["user"]) == (made["kid"], "ann", "olga")
    text = json.dumps(reported)
    assert not any(secret in text for secret in (made["key"], "forged-key", "secret-path", "clearance:high"))
    assert admin.headers["authorization"] not in text


def test_an_internal_error_is_reported_without_its_text(admin: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(*_: object) -> None:
        raise RuntimeError("secret table name")

    monkeypatch.setattr(wiring.local_services().stores.users, "all", breaks)
    broken = admin.get("/v1/users")

    assert (broken.status, broken.code) == (500, "failed")
    assert b"secret" not in broken.body


def test_an_unavailable_store_is_a_retryable_error_that_does_not_name_it(
    world: World, admin: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    def silent(*_: object) -> None:
        raise Unavailable("The table acme-users does not answer.", 7)

    monkeypatch.setattr(wiring.local_services().stores.users, "all", silent)
    answer = admin.get("/v1/users")

    assert (answer.status, answer.code, answer.json["error"]["retry_after_s"]) == (503, "unavailable", 7)
    assert answer.headers["retry-after"] == "7"
    assert b"acme-users" not in answer.body
    assert "acme-users" in lines(world)[-1]["problem"]


def test_an_answer_whose_audit_line_is_not_taken_is_not_given(admin: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(wiring.local_services().stores.audit, "append", full)
    answer = admin.get("/v1/keys")

    assert (answer.status, answer.code) == (503, "unavailable")


def test_a_key_over_its_rate_is_given_a_retry_time(world: World, tenant: str, admin: Api) -> None:
    order = {"name": "n", "kind": "personal", "user": "u", "scopes": ["search"], "collections": "every"}
    slow = Api({"authorization": f"Bearer {admin.post('/v1/keys', **order, rate_per_minute=1, burst=1).json['key']}"})

    first, second = slow.get("/v1/status"), slow.get("/v1/status")

    assert (first.status, second.status, second.code) == (200, 429, "too_much")
    assert 0 < second.json["error"]["retry_after_s"] <= 60


@settings(deadline=None, max_examples=examples(150), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from(
        [("POST", "/v1/keys"), ("POST", "/v1/search"), ("POST", "/v1/uploads"), ("PUT", "/v1/collections/c")]
    ),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    )
    | st.binary(max_size=50),
)
def test_whatever_is_sent_the_answer_is_in_the_form_and_never_a_failure(
    admin: Api, route: tuple[str, str], sent: object
) -> None:
    body = sent if isinstance(sent, bytes) else json.dumps(sent).encode()

    assert admin.send(*route, body).status < 500
