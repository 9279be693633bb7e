"""The key under which people come in who sign in: made like others, without a secret."""

import time
from pathlib import Path
from typing import Final

import pytest

from tests.support.entry.command import Command
from tests.support.registry.token_issuer import AUDIENCE, JWKS, Reply, running

OAUTH: Final = {
    "GROUNDWIRE_OAUTH_ISSUER": "https://id.example",
    "GROUNDWIRE_OAUTH_AUDIENCE": "https://rag.example/mcp",
    "GROUNDWIRE_OAUTH_TENANT_CLAIM": "company",
    "GROUNDWIRE_OAUTH_USER_CLAIM": "sub",
}


def test_a_key_for_people_who_sign_in_has_a_bound_and_no_secret(groundwire: Command, tenant: str) -> None:
    order = ["key", "create", "-t", tenant, "--oauth", "--scope", "search", "--max-tag", "department:*"]
    made = groundwire(*order, "--json", **OAUTH).done().json
    assert "key" not in made
    assert (made["kind"], made["user"], made["max_tags"]) == ("oauth", None, ["department:*"])
    assert groundwire.json("key", "list", "-t", tenant) == [made]
    again = groundwire(*order, **OAUTH)
    assert made["kid"] in again.line
    groundwire("key", "revoke", made["kid"], "-t", tenant).done()
    stated = groundwire(*order, **OAUTH).done().out
    assert "no secret" in stated
    assert "gw_" not in stated
    assert len(groundwire.json("key", "list", "-t", tenant)) == 2


@pytest.mark.parametrize(
    ("options", "stated"),
    [
        (["--oauth", "--act-as", "--scope", "search"], "--act-as"),
        (["--oauth", "--user", "maria", "--scope", "search"], "each access token names them"),
        (["--oauth", "--tag", "a", "--scope", "search"], "each access token names them"),
        (["--oauth", "--scope", "admin"], "can be search and verify"),
    ],
)
def test_an_order_that_contradicts_itself_is_refused_in_one_line(
    groundwire: Command, tenant: str, options: list[str], stated: str
) -> None:
    refused = groundwire("key", "create", "-t", tenant, *options, **OAUTH)
    assert refused.code == 2
    assert stated in refused.line


def test_without_an_identity_provider_the_missing_settings_are_named(groundwire: Command, tenant: str) -> None:
    refused = groundwire("key", "create", "-t", tenant, "--oauth", "--scope", "search")
    assert "GROUNDWIRE_OAUTH_ISSUER" in refused.line


def test_doctor_fetches_the_keys_of_the_identity_provider(groundwire: Command, tenant: str) -> None:
    assert not any(line.startswith("ok  sign-in") for line in groundwire("doctor").out.splitlines())
    with running() as issuer:
        settings = {**OAUTH, "GROUNDWIRE_OAUTH_ISSUER": issuer.url}
        assert f"ok  sign-in   {issuer.url} publishes 1 key\n" in groundwire("doctor", **settings).out
        issuer.replies[JWKS] = Reply(b'{"keys": []}')
        empty = groundwire("doctor", **settings)
        assert f"BAD sign-in {issuer.url} publishes no key for signatures" in empty.err
    deleted = groundwire("doctor", **settings)
    assert deleted.code == 1
    assert "BAD sign-in The identity provider's keys cannot be fetched" in deleted.err


HALF: Final = {"GROUNDWIRE_OAUTH_ISSUER": "https://id.example"}


def test_half_set_variables_stop_only_what_needs_them(groundwire: Command, tenant: str) -> None:
    assert tenant in groundwire("tenant", "list", **HALF).done().out
    groundwire("key", "create", "-t", tenant, "--user", "ana", "--scope", "search", **HALF).done()
    groundwire("source", "list", "-t", tenant, **HALF).done()
    for arguments in (["key", "create", "-t", tenant, "--oauth", "--scope", "search"], ["serve", "--port", "1"]):
        refused = groundwire(*arguments, **HALF)
        assert refused.code == 2
        assert "GROUNDWIRE_OAUTH_AUDIENCE" in refused.line
    doctor = groundwire("doctor", **HALF)
    assert doctor.code == 1
    assert "BAD sign-in To accept access tokens, also set GROUNDWIRE_OAUTH_AUDIENCE" in doctor.err


def test_a_token_is_explained_by_the_decision_on_its_call(groundwire: Command, tenant: str, tmp_path: Path) -> None:
    mapping = tmp_path / "groups.json"
    mapping.write_text('{"staff": []}')
    with running() as issuer:
        settings = {
            **OAUTH,
            "GROUNDWIRE_OAUTH_ISSUER": issuer.url,
            "GROUNDWIRE_OAUTH_TAGS_CLAIM": "groups",
            "GROUNDWIRE_OAUTH_GROUPS": str(mapping),
        }
        made = ["key", "create", "-t", tenant, "--oauth", "--scope", "search", "--max-tag", "department:*"]
        kid = groundwire(*made, "--json", **{**settings, "GROUNDWIRE_OAUTH_AUDIENCE": AUDIENCE}).done().json["kid"]
        groundwire("group", "set", "/department/sales", "-t", tenant, "--tag", "department:sales").done()
        groups = ["/department/sales", "staff", "board"]
        now = time.time()
        token = issuer.token(
            company=tenant, groups=groups, exp=now + 300, iat=now, scope="groundwire:search groundwire:verify"
        )
        explain = ["key", "explain-token", "-t", tenant]
        shown = groundwire(*explain, typed=f"Bearer {token}\n", **settings).done().out.splitlines()
        explained = groundwire(*explain, "--json", typed=token, **settings).done().json
        doctor = groundwire("doctor", "--token", "-", typed=token, **settings).done()
        other = groundwire.tenant("other")
        foreign = groundwire("key", "explain-token", "-t", other, typed=token, **settings)

    assert shown == [
        f"User ana of tenant {tenant}, with sign-in key {kid}.",
        "Tags that count: department:sales. Ignored: 1.",
        "Scopes: search.",
        "  /department/sales -> department:sales (mapped by the tenant): counts.",
        "  staff: gives no tag: its mapping is empty.",
        "  board -> board (its own text): ignored: no --max-tag of the sign-in key covers it.",
    ]
    assert (explained["user"], explained["tags"], explained["tags_ignored"]) == ("ana", ["department:sales"], 1)
    assert [each["mapped_by"] for each in explained["groups"]] == ["tenant", "file", None]
    assert f"ok  token     User ana of tenant {tenant}" in doctor.out
    assert "!! token board -> board" in doctor.err
    assert (foreign.code, foreign.out) == (1, "Refused: token_tenant. docs/oauth.md explains the reasons.\n")


def test_a_token_comes_from_standard_input_alone(groundwire: Command, tenant: str) -> None:
    for arguments, typed in ((["a.b.c"], ""), (["-"], ""), (["-"], "x" * 9_000)):
        refused = groundwire("key", "explain-token", "-t", tenant, *arguments, typed=typed)
        assert "standard input" in refused.line
    refused = groundwire("key", "explain-token", "-t", tenant, typed="a.b.c")
    assert "accepts no access tokens" in refused.line


def test_groups_are_mapped_listed_and_deleted(groundwire: Command, tenant: str) -> None:
    groundwire("group", "set", "/department/sales", "-t", tenant, "--tag", "b", "--tag", "a").done()
    groundwire("group", "set", "staff", "-t", tenant, "--no-tags").done()
    assert groundwire.json("group", "list", "-t", tenant) == [
        {"group": "/department/sales", "tags": ["a", "b"]},
        {"group": "staff", "tags": []},
    ]
    assert groundwire("group", "set", "staff", "-t", tenant).code == 2
    groundwire("group", "delete", "staff", "-t", tenant).done()
    assert groundwire("group", "delete", "staff", "-t", tenant).code == 1
    assert [each["group"] for each in groundwire.json("group", "list", "-t", tenant)] == ["/department/sales"]
