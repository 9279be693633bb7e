"""Settings of the identity provider whose access tokens are accepted."""

from collections.abc import Mapping
from typing import Final

from groundwire.domain.errors import InvalidInput
from groundwire.domain.keys.oauth import IdentityProvider
from groundwire_egress.secure_urls import is_secure_url

_PREFIX: Final = "GROUNDWIRE_"
_REQUIRED: Final = ("OAUTH_ISSUER", "OAUTH_AUDIENCE", "OAUTH_USER_CLAIM")
"""Settings that a provider needs, beside one of the two that give the tenant."""


def parse_identity_provider(given: Mapping[str, str]) -> IdentityProvider:
    """Parse the settings that are not empty.

    Raises:
        InvalidInput: a required one is missing, or a value is not valid.
    """
    missing = [_PREFIX + name for name in _REQUIRED if name not in given]
    if ("OAUTH_TENANT" in given) == ("OAUTH_TENANT_CLAIM" in given):
        missing.append(f"exactly one of {_PREFIX}OAUTH_TENANT and {_PREFIX}OAUTH_TENANT_CLAIM")
    if missing:
        raise InvalidInput(f"To accept access tokens, also set {', '.join(missing)} (docs/oauth.md).")
    jwks_url = given.get("OAUTH_JWKS_URL")
    return IdentityProvider(
        issuer=_secure_url("OAUTH_ISSUER", given["OAUTH_ISSUER"]),
        audience=given["OAUTH_AUDIENCE"],
        jwks_url=None if jwks_url is None else _secure_url("OAUTH_JWKS_URL", jwks_url),
        tenant=given.get("OAUTH_TENANT"),
        tenant_claim=given.get("OAUTH_TENANT_CLAIM"),
        user_claim=given["OAUTH_USER_CLAIM"],
        tags_claim=given.get("OAUTH_TAGS_CLAIM"),
    )


def _secure_url(name: str, text: str) -> str:
    """Return the text, an address that keys may be fetched from.

    Raises:
        InvalidInput: it is none.
    """
    if not is_secure_url(text):
        raise InvalidInput(f"{_PREFIX}{name} must be an https address (http on this machine only), not {text!r}.")
    return text
