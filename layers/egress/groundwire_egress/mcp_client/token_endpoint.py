"""Token endpoints of OAuth: requests for an access token, and the configured issuer's exchange of a user's token."""

import re
import time
from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple
from urllib.parse import quote_plus, urlencode

from groundwire_egress import EgressLimits, EgressRequest, SendRequest
from groundwire_egress.mcp_client.calls import ExchangeCredential, McpSignInRequired, SecretText
from groundwire_egress.mcp_client.limits import SOURCE_CALL_SECONDS, SOURCE_CONNECT_SECONDS
from groundwire_egress.messages import EgressError
from groundwire_egress.secure_urls import is_secure_url
from groundwire_mcp.jsonrpc.json_codec import JsonError, JsonObject, decode

ON_BEHALF_OF: Final = "on_behalf_of"
TOKEN_EXCHANGE: Final = "token_exchange"  # noqa: S105 - the name of a grant
_MAX_BYTES: Final = 128 * 1024
_LIMITS: Final = EgressLimits(SOURCE_CALL_SECONDS, _MAX_BYTES, redirects=0, connect_seconds=SOURCE_CONNECT_SECONDS)
_FORM: Final = {"content-type": "application/x-www-form-urlencoded", "accept": "application/json"}
_OK: Final = 200
_REFUSALS: Final = range(400, 500)
_TOKEN: Final = re.compile(r"[\x21-\x7e]{1,16384}")
_DISCOVERY_SECONDS: Final = 3_600
_MAX_TOKEN_SECONDS: Final = 86_400
_NOT_ISSUED: Final = "The token endpoint issued no token: try again later."
_SIGN_IN: Final = "This source needs a user who signed in at the configured issuer and may use it: sign in again."


@dataclass(frozen=True, slots=True, repr=False)
class TokenText:
    """Access token; it prints as `****` and is read only by `reveal()`."""

    _text: str

    def reveal(self) -> str:
        """Return the text itself."""
        return self._text

    def __repr__(self) -> str:
        return "****"

    __str__ = __repr__


class IssuedToken(NamedTuple):
    """Access token; it is valid for `seconds`, 0 where its endpoint does not state it."""

    text: SecretText
    seconds: float


class TokenDenied(EgressError):
    """Error when a token endpoint refuses a token."""


def request_token(
    send: SendRequest, url: str, form: Mapping[str, str], client: tuple[str, SecretText] | None
) -> IssuedToken:
    """Return the token that the endpoint issues; no redirect is followed.

    Args:
        send: of the egress client.
        url: of the endpoint.
        form: parameters of the request.
        client: id and secret for HTTP Basic (RFC 6749, 2.3.1); None: the form has them.

    Raises:
        TokenDenied: the endpoint refuses.
        EgressError: it does not answer, or not with a token.
    """
    headers = dict(_FORM)
    if client is not None:
        # RFC 6749 §2.3.1: both are form-encoded first, since a colon in the id would end it.
        pair = f"{quote_plus(client[0])}:{quote_plus(client[1].reveal())}"
        headers["authorization"] = f"Basic {b64encode(pair.encode()).decode()}"
    with send(EgressRequest("POST", url, headers, urlencode(form).encode(), _LIMITS)) as response:
        if response.status in _REFUSALS:
            raise TokenDenied(_NOT_ISSUED)
        members = _members(response.status, response.read())
    text, kind, seconds = (members.get(name) for name in ("access_token", "token_type", "expires_in"))
    is_bearer = isinstance(kind, str) and kind.lower() == "bearer"
    if not isinstance(text, str) or not _TOKEN.fullmatch(text) or not is_bearer:
        raise EgressError(_NOT_ISSUED)
    # Some endpoints send the number as a text.
    valid = float(seconds) if isinstance(seconds, int | float | str) and str(seconds).isdecimal() else 0.0
    return IssuedToken(TokenText(text), min(valid, _MAX_TOKEN_SECONDS))


class TokenIssuer:
    """Exchange of users' tokens at the configured issuer; nobody else gets them.

    Args:
        issuer: URL of the issuer; None: none is configured.
        send: of an egress client that may call the issuer.
    """

    def __init__(self, issuer: str | None, send: SendRequest, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._issuer = issuer
        self._send = send
        self._monotonic = monotonic
        self._endpoint: tuple[str, float] | None = None

    def exchange(self, credential: ExchangeCredential, resource: str) -> SecretText:
        """Return a token of the user for `resource`, the URL of a source's server; it is not kept.

        Raises:
            McpSignInRequired: the target has no user's token, no issuer is configured, or it refuses.
            EgressError: the issuer does not answer.
        """
        if credential.user_token is None or self._issuer is None:
            raise McpSignInRequired(_SIGN_IN)
        scope = {} if credential.scope is None else {"scope": credential.scope}
        client = credential.client_id, credential.client_secret
        token = credential.user_token.reveal()
        endpoint = self._token_endpoint(self._issuer)
        try:
            if credential.grant == ON_BEHALF_OF:
                # Microsoft documents this grant with the client in the form, not in HTTP Basic.
                form = {"client_id": client[0], "client_secret": client[1].reveal()}
                return request_token(self._send, endpoint, {**_on_behalf_of(token), **form, **scope}, None).text
            if credential.grant == TOKEN_EXCHANGE:
                form = {**_token_exchange(token), "resource": resource, **scope}
                return request_token(self._send, endpoint, form, client).text
        except TokenDenied:
            pass
        raise McpSignInRequired(_SIGN_IN)

    def own_token(self, credential: ExchangeCredential, resource: str) -> SecretText:
        """Return a token of the client itself for `resource`, by which the tools of a source are listed.

        Raises:
            McpSignInRequired: no issuer is configured, or it refuses.
            EgressError: the issuer does not answer.
        """
        if self._issuer is None:
            raise McpSignInRequired(_SIGN_IN)
        client = credential.client_id, credential.client_secret
        wanted = {"resource": resource} if credential.scope is None else {"scope": credential.scope}
        form = {"grant_type": "client_credentials", **wanted}
        try:
            return request_token(self._send, self._token_endpoint(self._issuer), form, client).text
        except TokenDenied:
            pass
        raise McpSignInRequired(_SIGN_IN)

    def _token_endpoint(self, issuer: str) -> str:
        """Return the `token_endpoint` of the issuer's own discovery document (OpenID Connect Discovery 1.0, 4.3).

        Raises:
            EgressError: the document is of another issuer, or names no acceptable URL.
        """
        cached, now = self._endpoint, self._monotonic()
        if cached is not None and now < cached[1]:
            return cached[0]
        url = f"{issuer.rstrip('/')}/.well-known/openid-configuration"
        with self._send(EgressRequest("GET", url, {"accept": "application/json"}, None, _LIMITS)) as response:
            members = _members(response.status, response.read())
        endpoint = members.get("token_endpoint")
        if members.get("issuer") != issuer or not isinstance(endpoint, str) or not _is_acceptable(endpoint, issuer):
            raise EgressError(_NOT_ISSUED)
        self._endpoint = endpoint, now + _DISCOVERY_SECONDS
        return endpoint


def _is_acceptable(endpoint: str, issuer: str) -> bool:
    """Return whether users' tokens may be sent there: over https, or on this machine where the issuer is too."""
    is_plain = endpoint.startswith("http:")
    return is_secure_url(endpoint.partition("?")[0]) and (issuer.startswith("http:") or not is_plain)


def _on_behalf_of(token: str) -> dict[str, str]:
    return {
        "grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer",
        "assertion": token,
        "requested_token_use": "on_behalf_of",
    }


def _token_exchange(token: str) -> dict[str, str]:
    return {
        "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange",
        "subject_token": token,
        "subject_token_type": "urn:ietf:params:oauth:token-type:access_token",
    }


def _members(status: int, body: bytes) -> JsonObject:
    """Return the members of a JSON object.

    Raises:
        EgressError: the response is another one.
    """
    try:
        value = decode(body, _MAX_BYTES) if status == _OK else None
    except JsonError:
        value = None
    if not isinstance(value, dict):
        raise EgressError(_NOT_ISSUED)
    return value
