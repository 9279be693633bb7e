"""Orders to the operator function: what they do, how they are refused, and that each is on record."""

from dataclasses import replace

import boto3
import pytest

from groundwire import wiring
from tests.support.aws.operator_stack import GROUP, URL, Stack
from tests.support.aws.tenant_content import ADMIN, AGENT
from tests.support.registry.records import CURRENT, PERSONAL_KEY


def test_a_tenant_is_made_with_an_id_that_was_never_used(stack: Stack) -> None:
    made = stack.done("tenant.create", name="acme")
    assert made["tenant"]["name"] == "acme"
    assert made["tenant"]["tenant"].startswith("t_")
    assert made["url"] == URL
    assert stack.done("tenant.list")["tenants"] == [made["tenant"]]


def test_a_taken_name_is_a_conflict(stack: Stack, tenant: str) -> None:
    assert stack.refused("tenant.create", name="acme")["code"] == "conflict"


def test_the_first_key_of_a_tenant_is_admitted_for_what_was_ordered(stack: Stack, tenant: str) -> None:
    key = stack.done("key.create", tenant="acme", **ADMIN)["key"]
    assert key["key"].startswith("gw_live_")
    assert key["scopes"] == ["admin"]
    caller = stack.services.access.authorize({"authorization": f"Bearer {key['key']}"}).caller
    assert caller is not None
    assert (caller.principal.tenant, caller.principal.user) == (tenant, "ann")


def test_a_key_is_listed_without_its_secret_and_revoked(stack: Stack, tenant: str) -> None:
    key = stack.done("key.create", tenant=tenant, **AGENT)["key"]
    (listed,) = stack.done("key.list", tenant=tenant)["keys"]
    assert "key" not in listed
    assert stack.done("key.revoke", tenant=tenant, kid=key["kid"])["key"]["revoked"] is True
    assert stack.services.access.authorize({"authorization": f"Bearer {key['key']}"}).caller is None


def test_a_tenant_is_limited_suspended_and_resumed_by_its_operator(stack: Stack, tenant: str) -> None:
    key = stack.done("key.create", tenant=tenant, **AGENT)["key"]
    headers = {"authorization": f"Bearer {key['key']}", "x-user-id": "ann"}
    assert stack.done("tenant.set-rate", tenant="acme", rate_per_minute=1_200, burst=200)["tenant"]["burst"] == 200
    assert stack.services.access.authorize(headers).caller is not None
    suspended = stack.done("tenant.suspend", tenant="acme")["tenant"]
    decision = stack.services.access.authorize(headers)
    assert (decision.caller, decision.reason.value, decision.tenant) == (None, "suspended_tenant", tenant)
    # A second suspension keeps the first moment.
    assert stack.done("tenant.suspend", tenant="acme")["tenant"] == suspended
    assert stack.done("tenant.list")["tenants"] == [suspended]
    resumed = stack.done("tenant.resume", tenant="acme")["tenant"]
    assert (resumed["rate_per_minute"], "suspended_at" in resumed) == (1_200, False)
    assert stack.services.access.authorize(headers).caller is not None
    refused = [stack.refused("tenant.set-rate", tenant="acme", rate_per_minute=rate, burst=1) for rate in (0, 10**9)]
    assert [each["code"] for each in refused] == ["invalid", "invalid"]
    assert stack.refused("tenant.suspend", tenant="nobody")["code"] == "not_found"


def test_a_stored_expiry_that_no_calendar_has_takes_no_list_along(stack: Stack, tenant: str) -> None:
    endless = replace(PERSONAL_KEY, tenant=tenant, expires_at=10**15 * 86_400.0)
    stack.services.stores.keys.add(endless, CURRENT)
    (listed,) = stack.done("key.list", tenant=tenant)["keys"]
    assert listed["expires_at"] is None
    assert stack.done("key.revoke", tenant=tenant, kid=endless.kid)["key"]["revoked"] is True


def test_a_key_is_strict_about_tags_only_where_the_order_states_it(stack: Stack, tenant: str) -> None:
    lenient = stack.done("key.create", tenant=tenant, **AGENT)["key"]
    strict = stack.done("key.create", tenant=tenant, **AGENT, strict_tags=True)["key"]
    rotated = stack.done("key.rotate", tenant=tenant, kid=strict["kid"])["key"]
    assert [key["strict_tags"] for key in (lenient, strict, rotated)] == [False, True, True]


def test_a_key_splits_the_first_phrase_only_where_the_order_states_it(stack: Stack, tenant: str) -> None:
    usual = stack.done("key.create", tenant=tenant, **AGENT)["key"]
    splitting = stack.done("key.create", tenant=tenant, **AGENT, split_first_phrase=True)["key"]
    rotated = stack.done("key.rotate", tenant=tenant, kid=splitting["kid"])["key"]
    assert [key.get("split_first_phrase") for key in (usual, splitting, rotated)] == [None, True, True]


def test_a_key_lists_the_tools_of_sources_only_where_the_order_states_it(stack: Stack, tenant: str) -> None:
    usual = stack.done("key.create", tenant=tenant, **AGENT)["key"]
    listing = stack.done("key.create", tenant=tenant, **AGENT, sources=True)["key"]
    rotated = stack.done("key.rotate", tenant=tenant, kid=listing["kid"])["key"]
    assert [key.get("sources") for key in (usual, listing, rotated)] == [None, True, True]


@pytest.mark.parametrize("left_out", ["kind", "scopes", "collections"])
def test_what_a_key_may_do_is_never_assumed(stack: Stack, tenant: str, left_out: str) -> None:
    order = {name: value for name, value in ADMIN.items() if name != left_out}
    assert stack.refused("key.create", tenant=tenant, **order)["code"] == "invalid"
    assert stack.done("key.list", tenant=tenant)["keys"] == []


@pytest.mark.parametrize(
    ("event", "named"),
    [
        (None, "JSON object"),
        ([], "JSON object"),
        ({}, "`action`"),
        ({"action": 1}, "`action`"),
        ({"action": "tenant.rename"}, "tenant.create"),
        ({"action": "collection.list", "tenant": "acme"}, "no action 'collection.list'"),
        ({"action": "tenant.create"}, "`name`"),
        ({"action": "tenant.create", "name": "a\nb"}, "printable"),
        ({"action": "tenant.create", "name": "new", "tier": "gold"}, "`tier`"),
        ({"action": "key.create", "tenant": "acme", **ADMIN, "scopes": "admin"}, "`scopes`"),
        ({"action": "key.create", "tenant": "acme", **ADMIN, "scopes": ["root"]}, "`scopes`"),
        ({"action": "key.create", "tenant": "acme", **ADMIN, "top_n": True}, "`top_n`"),
        ({"action": "key.create", "tenant": "acme", **ADMIN, "user": 7}, "`user`"),
        ({"action": "key.create", "tenant": "acme", **ADMIN, "expires_in_days": 10**15}, "1 to 3650 days"),
        ({"action": "key.create", "tenant": "acme", **ADMIN, "rate_per_minute": 10**30}, "600000"),
        ({"action": "key.create", "tenant": "acme", **AGENT, "strict_tags": "no"}, "`strict_tags`"),
    ],
)
def test_an_order_that_cannot_be_is_refused_by_the_name_of_what_is_wrong(
    stack: Stack, tenant: str, event: object, named: str
) -> None:
    answer = stack.invoke(event)
    assert answer["error"]["code"] == "invalid"
    assert named in answer["error"]["message"]
    last = stack.audit_lines()[-1]
    assert (last["outcome"], last["reason"]) == ("refused", "invalid")


def test_an_order_that_names_no_action_is_on_record_without_its_words(stack: Stack) -> None:
    for event in (None, {}, {"action": "tenant.rename"}, {"action": "x" * 10_000}):
        assert stack.invoke(event)["error"]["code"] == "invalid"
    assert {(line["action"], line["outcome"]) for line in stack.audit_lines()} == {("unknown", "refused")}
    assert len(stack.audit_lines()) == 4


def test_what_is_not_there_is_distinguished_from_what_is_wrong(stack: Stack) -> None:
    for action in ("tenant.delete", "key.list", "reindex.status"):
        assert stack.refused(action, tenant="nobody")["code"] == "not_found"


def test_every_order_writes_an_audit_line_without_a_secret(stack: Stack, tenant: str) -> None:
    key = stack.done("key.create", tenant=tenant, **ADMIN)["key"]
    stack.refused("tenant.create", name="acme")
    lines = stack.audit_lines()
    assert [(line["action"], line["outcome"]) for line in lines] == [
        ("tenant.create", "done"),
        ("key.create", "done"),
        ("tenant.create", "refused"),
    ]
    assert {line["decision"] for line in lines} == {"operator"}
    assert lines[1]["kid"] == key["kid"]
    assert lines[2]["reason"] == "conflict"
    assert all(line["request_id"] for line in lines)
    assert key["key"] not in str(lines)


def test_what_cannot_be_recorded_is_not_answered(stack: Stack, tenant: str) -> None:
    boto3.client("logs").delete_log_group(logGroupName=GROUP)  # pyright: ignore[reportUnknownMemberType]
    refused = stack.refused("key.create", tenant=tenant, **ADMIN)
    assert refused["code"] == "unavailable"
    assert refused["retry_after_s"] > 0


def test_a_function_that_broke_states_where_to_look_and_nothing_else(
    stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> object:
        raise RuntimeError("secret detail")

    monkeypatch.setattr(wiring, "cloud_services", broken)
    refused = stack.refused("tenant.list")
    assert refused["code"] == "failed"
    assert "secret detail" not in refused["message"]
