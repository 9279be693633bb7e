"""Authorization code flow with the identity provider: the address of its sign-in, and the exchange of a code."""

import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from groundwire.adapters.egress_errors import as_unavailable
from groundwire.adapters.oidc.discovery import discovered_address, read_discovery
from groundwire.adapters.oidc.provider_http import RETRY_SECONDS, ProviderDocuments
from groundwire.domain.errors import Unavailable
from groundwire.domain.keys.forms.key_text import Secret
from groundwire.domain.keys.forms.oauth import IdentityProvider
from groundwire_egress.deadline import time_limit
from groundwire_egress.mcp_client.token_endpoint import TokenDenied, request_token
from groundwire_egress.messages import EgressError
from groundwire_egress.secure_urls import is_secure_url

if TYPE_CHECKING:
    from groundwire.ports import Clock

DISCOVERY_SECONDS: Final = 300
"""Time for which the provider's addresses are used: people who begin a sign-in cause few calls to the provider."""

EXCHANGE_SECONDS: Final = 12.0
"""Time for a token; the keys that verify it and the admission also fit into the function's 29 seconds."""


class OidcAuthorizationServer:
    """Authorization server of one provider; implements `ports.AuthorizationServer`.

    Args:
        client_id: of the page; it has no secret, since PKCE binds a code to the browser (RFC 9700, 2.1.1).
        redirect_uri: fixed address of this server, registered at the provider.
    """

    def __init__(
        self,
        provider: IdentityProvider,
        client_id: str,
        redirect_uri: str,
        documents: ProviderDocuments,
        clock: "Clock",
    ) -> None:
        self._provider = provider
        self._documents = documents
        self._clock = clock
        self._client = {"client_id": client_id, "redirect_uri": redirect_uri, **_resource(provider.audience)}
        self._lock = threading.Lock()
        self._members: Mapping[str, object] | None = None
        self._next_fetch_at = float("-inf")

    def address(self, state: str, challenge: str) -> str:
        """Return the address to which a browser goes to sign in.

        Raises:
            Unavailable: the provider's addresses cannot be fetched, or must not be used.
        """
        endpoint = self._discovered("authorization_endpoint")
        request = {
            "response_type": "code",
            **self._client,
            "scope": self._provider.client_scopes,
            "state": state,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
        }
        return f"{endpoint}?{urlencode(request)}"

    def is_answer(self, issuer: str | None) -> bool:
        """Return whether an answer with this `iss`, or without one, can be of this provider.

        A provider that announces the parameter always sends it (RFC 9207, 2.4), so its absence is a mix-up, too.

        Raises:
            Unavailable: the provider's metadata cannot be fetched.
        """
        if issuer is None:
            return self._metadata().get("authorization_response_iss_parameter_supported") is not True
        return issuer == self._provider.issuer

    def exchange(self, code: str, verifier: str) -> Secret | None:
        """Return the access token for a code; None where the provider refuses it.

        Raises:
            Unavailable: the provider does not answer, or not with a token.
        """
        form = {"grant_type": "authorization_code", **self._client, "code": code, "code_verifier": verifier}
        try:
            with time_limit(EXCHANGE_SECONDS):
                endpoint = self._discovered("token_endpoint")
                return Secret(request_token(self._documents.send, endpoint, form, None).text.reveal())
        except TokenDenied:
            return None
        except EgressError as error:
            raise as_unavailable(error) from error

    def _discovered(self, name: str) -> str:
        return discovered_address(self._metadata(), name, self._provider.issuer)

    def _metadata(self) -> Mapping[str, object]:
        with self._lock:
            now = self._clock()
            if now >= self._next_fetch_at:
                # Set first: after a failure, the next people do not wait for the same provider.
                self._members, self._next_fetch_at = None, now + RETRY_SECONDS
                self._members = read_discovery(self._provider.issuer, self._documents.fetch)
                self._next_fetch_at = now + DISCOVERY_SECONDS
            if self._members is None:
                raise Unavailable("The identity provider did not answer a moment ago.", RETRY_SECONDS)
            return self._members


def _resource(audience: str) -> dict[str, str]:
    """Return the parameter that names this server (RFC 8707); an audience that is no address cannot be its value.

    Such an audience is decided by the scopes instead, and Entra ID refuses the parameter beside them.
    """
    return {"resource": audience} if is_secure_url(audience) else {}
