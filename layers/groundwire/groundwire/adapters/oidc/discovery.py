"""Discovery document of the identity provider, and the rules for the addresses in it."""

from collections.abc import Callable, Mapping
from typing import Final

from groundwire.adapters.oidc.provider_http import RETRY_SECONDS, JsonDocument
from groundwire.domain.errors import Unavailable
from groundwire_egress.secure_urls import is_secure_url

FetchJson = Callable[[str], JsonDocument]

_PURPOSES: Final = {
    "jwks_uri": "of its keys",
    "authorization_endpoint": "to which people go to sign in",
    "token_endpoint": "that issues tokens",
}
"""Members with an address that is used, and what is there."""


def read_discovery(issuer: str, fetch: FetchJson) -> Mapping[str, object]:
    """Return the members of the issuer's own discovery document (OpenID Connect Discovery 1.0, 4.3).

    Raises:
        Unavailable: the document cannot be fetched, or belongs to another issuer.
    """
    members = fetch(f"{issuer.rstrip('/')}/.well-known/openid-configuration").members
    if members.get("issuer") != issuer:
        raise Unavailable(
            "The identity provider's discovery document names another issuer than the configured one.", RETRY_SECONDS
        )
    return members


def discovered_address(members: Mapping[str, object], name: str, issuer: str) -> str:
    """Return an address of the discovery document.

    Raises:
        Unavailable: it is missing, or neither https nor on this machine beside the issuer.
    """
    url = members.get(name)
    # Only a provider on this machine may be reached over plain HTTP from this machine.
    if isinstance(url, str) and is_secure_url(url) and (issuer.startswith("http:") or url.startswith("https:")):
        return url
    raise Unavailable(
        f"The identity provider's discovery document names no https address {_PURPOSES[name]}.", RETRY_SECONDS
    )
