"""Each recipe for an identity provider: its settings are accepted, and its token names the person that it should."""

import json
import re
from collections.abc import Mapping
from typing import Final

import pytest

from groundwire.adapters.oidc.key_set import (
    DEFAULT_FRESH_SECONDS,
    MAX_FRESH_SECONDS,
    MIN_FRESH_SECONDS,
    STALE_SECONDS,
    UNKNOWN_KID_SECONDS,
)
from groundwire.adapters.oidc.provider_http import FETCH_SECONDS, MAX_BYTES
from groundwire.domain.access.scopes import Scope
from groundwire.domain.keys.forms.oauth import IdentityProvider, TokenIdentity, read_claims
from groundwire.settings.environment import read_settings
from tests.support.documentation.pages import section, text_of

PAGE: Final = text_of("oauth")
_BLOCK: Final = re.compile(r"^```(ini|json)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
RECIPES: Final = {
    part.partition("\n")[0]: dict(_BLOCK.findall(part))
    for part in section(PAGE, "Which provider fits").split("\n### ")[1:]
    if _BLOCK.search(part)
}


def provider_of(recipe: Mapping[str, str]) -> IdentityProvider:
    settings = dict(line.split("=", 1) for line in recipe["ini"].splitlines())
    provider = read_settings(settings).identity_provider
    assert provider is not None
    return provider


def test_there_is_a_recipe_for_each_provider_with_signed_tokens() -> None:
    assert set(RECIPES) == {"Keycloak", "Auth0", "Okta", "Microsoft Entra ID"}


@pytest.mark.parametrize("name", RECIPES)
def test_the_token_of_a_recipe_is_for_its_settings(name: str) -> None:
    provider, claims = provider_of(RECIPES[name]), json.loads(RECIPES[name]["json"])
    assert claims["iss"] == provider.issuer
    assert provider.audience in (claims["aud"] if isinstance(claims["aud"], list) else [claims["aud"]])
    assert "exp" in claims


@pytest.mark.parametrize("name", RECIPES)
def test_the_token_of_a_recipe_names_a_user_with_a_tag_and_both_scopes(name: str) -> None:
    provider, claims = provider_of(RECIPES[name]), json.loads(RECIPES[name]["json"])
    identity = read_claims(claims, provider)
    assert isinstance(identity, TokenIdentity)
    assert identity.user == claims[provider.user_claim]
    assert identity.groups == ("department:sales",)
    assert identity.scopes == {Scope.SEARCH, Scope.VERIFY}


def test_the_times_of_the_providers_keys_are_those_of_the_code() -> None:
    keys = section(PAGE, "The provider's public keys")
    assert f"{DEFAULT_FRESH_SECONDS // 60} minutes" in keys
    assert f"between {MIN_FRESH_SECONDS // 60} and {MAX_FRESH_SECONDS // 60} minutes" in keys
    assert f"once in {UNKNOWN_KID_SECONDS} seconds" in keys
    assert STALE_SECONDS == 3_600
    assert f"more than {MAX_BYTES // 1024} kB or takes more than {FETCH_SECONDS:g} seconds" in keys
