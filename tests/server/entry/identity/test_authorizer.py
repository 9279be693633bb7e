"""The authorizer function lets every call through with a decision, whatever happens inside it."""

import json
import logging
import subprocess
import sys
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.domain.errors import InvalidInput
from groundwire.domain.keys.auth_decision import AuthDecision, AuthReason, AuthStatus
from groundwire.entry.authorizer import build_handler
from groundwire.entry.http.auth_errors import auth_error_response
from groundwire.entry.http.authorizer_context import decision_from_event, to_context
from tests.support.plugins.draws import examples
from tests.support.registry.in_memory import NOW, TENANT, TenantKeys, bearer
from tests.support.registry.key_options import with_options
from tests.support.registry.key_specs import agents_key

DAY_S = 86_400


def through(tenant_keys: TenantKeys, event: Mapping[str, object]) -> AuthDecision:
    """Return the decision as the handler behind the gateway gets it."""
    response = build_handler(tenant_keys.authorize)(event, object())
    assert response["isAuthorized"] is True
    wire = json.loads(json.dumps(response["context"]))
    return decision_from_event({**event, "requestContext": {"authorizer": {"lambda": wire}}})


def answer(tenant_keys: TenantKeys, headers: Mapping[str, object]) -> bytes:
    return repr(
        auth_error_response(through(tenant_keys, {"version": "2.0", "type": "REQUEST", "headers": headers}))
    ).encode()


def test_a_good_key_arrives_as_the_caller() -> None:
    tenant_keys = TenantKeys()
    key = tenant_keys.acting("dept:*")
    headers = bearer(key, x_user_id="ann", x_session_tags='["dept:sales"]')
    decision = through(tenant_keys, {"headers": headers})
    assert decision == tenant_keys.authorize(headers)
    assert decision.caller is not None


@pytest.mark.parametrize("lists", [True, False])
def test_the_caller_lists_the_tools_of_sources_where_the_key_does(*, lists: bool) -> None:
    tenant_keys = TenantKeys()
    key = tenant_keys.admin.create(with_options(agents_key(TENANT), sources=lists))
    decision = through(tenant_keys, {"headers": bearer(key, x_user_id="ann")})
    assert decision.caller is not None
    assert decision.caller.options.sources is lists


def test_missing_short_mistyped_unknown_revoked_and_expired_keys_get_the_same_answer() -> None:
    tenant_keys = TenantKeys()
    revoked, expired, rotated, good = (
        tenant_keys.personal(),
        tenant_keys.personal(),
        tenant_keys.personal(),
        tenant_keys.personal(),
    )
    tenant_keys.admin.revoke(TENANT, revoked.key.kid)
    tenant_keys.admin.rotate(TENANT, rotated.key.kid, overlap_hours=0)
    text = good.secret.reveal()
    tenant_keys.now = NOW + 91 * DAY_S
    answers = {
        answer(tenant_keys, headers)
        for headers in (
            {},
            {"x-user-id": "ann"},
            {"authorization": "Basic YTpi"},
            {"authorization": f"Bearer {text[:-1]}"},
            {"authorization": f"Bearer {text[:20]}x{text[21:]}"},
            {"x-api-key": TenantKeys().personal().secret.reveal()},
            bearer(revoked),
            bearer(expired),
            bearer(rotated),
        )
    }
    assert len(answers) == 1
    assert answers == {
        repr(auth_error_response(AuthDecision(AuthStatus.UNAUTHENTICATED, AuthReason.NO_CONTEXT))).encode()
    }


@pytest.mark.parametrize("headers", [None, [], "x", {"authorization": None}, {"authorization": 5}, {1: "x"}])
def test_an_event_of_another_shape_is_a_call_without_a_key(headers: object) -> None:
    assert through(TenantKeys(), {"headers": headers}).status is AuthStatus.UNAUTHENTICATED


def test_an_unexpected_failure_is_a_decision_too_and_its_log_holds_no_key(caplog: pytest.LogCaptureFixture) -> None:
    tenant_keys = TenantKeys()
    key = tenant_keys.personal()

    def broken(headers: Mapping[str, str]) -> AuthDecision:
        raise RuntimeError(f"broken by {headers['authorization']}")

    with caplog.at_level(logging.DEBUG):
        response = build_handler(broken)({"headers": bearer(key)}, None)
    assert response == {
        "isAuthorized": True,
        "context": to_context(AuthDecision(AuthStatus.UNAVAILABLE, AuthReason.INTERNAL_FAULT, retry_after_s=5)),
    }
    assert "RuntimeError" in caplog.text
    assert "in broken" in caplog.text
    assert key.secret.reveal()[-49:] not in caplog.text


def test_a_start_that_fails_is_answered_and_tried_again_on_the_next_call() -> None:
    tenant_keys = TenantKeys()
    starts = iter([InvalidInput("a setting that cannot be"), None])

    def starting(headers: Mapping[str, str]) -> AuthDecision:
        problem = next(starts)
        if problem is not None:
            raise problem
        return tenant_keys.authorize(headers)

    handler = build_handler(starting)
    contexts = [handler({"headers": bearer(tenant_keys.personal())}, None)["context"] for _ in range(2)]
    decisions = [
        decision_from_event({"requestContext": {"authorizer": {"lambda": context}}}).status for context in contexts
    ]
    assert decisions == [AuthStatus.UNAVAILABLE, AuthStatus.ADMITTED]


@settings(deadline=None, max_examples=examples(150))
@given(st.dictionaries(st.text(max_size=16), st.text(st.characters(), max_size=60), max_size=5))
def test_whatever_headers_come_the_call_is_let_through_with_a_decision(headers: dict[str, str]) -> None:
    tenant_keys = TenantKeys()
    decision = through(tenant_keys, {"headers": bearer(tenant_keys.acting("*")) | headers})
    assert decision.reason is not AuthReason.NO_CONTEXT


def test_the_key_never_reaches_the_context_or_a_log(caplog: pytest.LogCaptureFixture) -> None:
    tenant_keys = TenantKeys()
    key = tenant_keys.acting("*")
    secret = key.secret.reveal()[-49:]
    with caplog.at_level(logging.DEBUG):
        for extra in ({}, {"x-user-id": "a,b"}, {"x-session-tags": "["}, {"x-api-key": "y"}, {"x-tenant": "t"}):
            response = build_handler(tenant_keys.authorize)({"headers": bearer(key) | extra}, None)
            assert secret not in json.dumps(response)
    assert secret not in caplog.text


def test_the_authorizer_starts_without_a_library() -> None:
    program = (
        "import sys; before = set(sys.modules); import groundwire.entry.authorizer; "
        "import groundwire.services.keys.request_authorizer;"
        "print(*sorted({name.split('.')[0] for name in set(sys.modules) - before} - set(sys.stdlib_module_names)))"
    )
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert loaded.stdout.split() == ["groundwire"]


@pytest.mark.parametrize(
    ("path", "route", "is_admitted"),
    [
        ("/v1/projects/p/locations/l:retrieveContexts", "ANY /v1/projects/{proxy+}", True),
        ("/v1/projects/p/locations/l:retrieveContexts", "ANY /v1/{proxy+}", True),
        ("/prod/v1/projects/p/locations/l:retrieveContexts", "ANY /v1/projects/{proxy+}", True),
        ("/v1beta1/:retrieveContexts", "$default", True),
        ("/mcp/generate", None, True),
        ("/prod/mcp/generate", "ANY /mcp/generate", True),
        ("/v1/projects/", "ANY /v1/{proxy+}", False),
        ("/v1/projectsx/p", "ANY /v1/{proxy+}", False),
        ("/v1/status", "ANY /v1/{proxy+}", False),
        ("/mcp/generate/x", None, False),
        ("/mcp", "ANY /mcp", False),
        (None, None, False),
    ],
)
def test_the_path_decides_which_of_two_credentials_counts_whichever_route_the_gateway_selected(
    path: str | None, route: str | None, *, is_admitted: bool
) -> None:
    tenant_keys = TenantKeys()
    headers = {"authorization": "Bearer of-google-cloud", "x-goog-api-key": tenant_keys.personal().secret.reveal()}
    http = {"http": {"method": "POST"}}
    decision = through(tenant_keys, {"rawPath": path, "routeKey": route, "requestContext": http, "headers": headers})
    assert (decision.caller is not None) == is_admitted


@pytest.mark.parametrize(
    ("path", "route", "admitted_with_one", "admitted_with_two"),
    [
        ("/v1/status", "ANY /{resource}/status", True, False),
        ("/v1/keys", "ANY /v1/{proxy+}", True, False),
        ("/knowledgesources('a')/status", "ANY /{resource}/status", True, True),
        ("/knowledgesources('a')", "ANY /{resource}", True, True),
        ("/agents", "ANY /agents", True, True),
        ("/agents/a", "ANY /agents/{proxy+}", True, True),
        ("/favicon.ico", "ANY /{resource}", False, False),
        ("/x/status", "ANY /{resource}/status", False, False),
    ],
)
def test_the_rest_api_keeps_its_rules_where_a_route_for_any_resource_leads_to_it(
    path: str, route: str, *, admitted_with_one: bool, admitted_with_two: bool
) -> None:
    tenant_keys = TenantKeys()
    one = {"api-key": tenant_keys.personal().secret.reveal()}
    two = {**one, "authorization": "Bearer of-entra"}
    http = {"http": {"method": "GET"}}
    for headers, is_admitted in ((one, admitted_with_one), (two, admitted_with_two)):
        event = {"rawPath": path, "routeKey": route, "requestContext": http, "headers": headers}
        assert (through(tenant_keys, event).caller is not None) == is_admitted
