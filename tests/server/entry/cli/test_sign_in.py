"""The key under which people come in who sign in: made like others, without a secret."""

from typing import Final

import pytest

from tests.support.entry.command import Command
from tests.support.registry.token_issuer import JWKS, Reply, running

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
