"""Headers that a source's server gets as its credential, and the cache of tokens of OAuth clients."""

import hashlib
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from threading import Lock
from typing import Final, NamedTuple

from groundwire_egress import SendRequest
from groundwire_egress.mcp_client.calls import ApiKeyCredential, ClientCredential, SecretText, SourceTarget
from groundwire_egress.mcp_client.token_endpoint import IssuedToken, TokenIssuer, request_token

MAX_CACHED_TOKENS: Final = 1_000
_EARLY_SECONDS: Final = 60
"""Time before its end in which a token is not used any more."""


class _CacheKey(NamedTuple):
    """Identity of a cached token: another tenant, source, server, client or secret has another one."""

    tenant: str
    source_id: str
    url: str
    token_url: str
    client_id: str
    scope: str | None
    secret_hash: str


class SourceCredentials:
    """Credentials as headers; several threads can use it.

    Args:
        send: of the egress client, for the token endpoints that tenants name.
        issuer: of users' tokens.
    """

    def __init__(self, send: SendRequest, issuer: TokenIssuer, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._send = send
        self._issuer = issuer
        self._monotonic = monotonic
        self._lock = Lock()
        self._cached: OrderedDict[_CacheKey, tuple[SecretText, float]] = OrderedDict()

    def headers(self, target: SourceTarget, *, is_listing: bool) -> Mapping[str, str]:
        """Return the headers, with names in lower case.

        Args:
            target: the server.
            is_listing: tools are listed, for which no user's token is exchanged: all users have one list.

        Raises:
            McpSignInRequired: the credential needs a user's token, which the target has not.
            EgressError: no token is issued.
        """
        credential = target.credential
        if credential is None:
            return {}
        if isinstance(credential, ApiKeyCredential):
            return {credential.header.lower(): credential.value.reveal()}
        if isinstance(credential, ClientCredential):
            token = self._client_token(target, credential)
        elif is_listing:
            token = self._issuer.own_token(credential, target.url)
        else:
            token = self._issuer.exchange(credential, target.url)
        return {"authorization": f"Bearer {token.reveal()}"}

    def discard(self, target: SourceTarget) -> bool:
        """Remove the cached token of the target; return whether a new one can be requested."""
        if not isinstance(target.credential, ClientCredential):
            return False
        with self._lock:
            self._cached.pop(_cache_key(target, target.credential), None)
        return True

    def _client_token(self, target: SourceTarget, credential: ClientCredential) -> SecretText:
        key = _cache_key(target, credential)
        with self._lock:
            token, ends_at = self._cached.get(key, (None, 0.0))
            if token is not None and self._monotonic() < ends_at:
                self._cached.move_to_end(key)
                return token
        scope = {} if credential.scope is None else {"scope": credential.scope}
        form = {"grant_type": "client_credentials", **scope}
        client = credential.client_id, credential.client_secret
        issued = request_token(self._send, credential.token_url, form, client)
        self._store(key, issued)
        return issued.text

    def _store(self, key: _CacheKey, issued: IssuedToken) -> None:
        seconds = issued.seconds - _EARLY_SECONDS
        if seconds <= 0:
            return
        with self._lock:
            self._cached[key] = issued.text, self._monotonic() + seconds
            self._cached.move_to_end(key)
            while len(self._cached) > MAX_CACHED_TOKENS:
                self._cached.popitem(last=False)


def _cache_key(target: SourceTarget, credential: ClientCredential) -> _CacheKey:
    # A key of the cache may appear in a traceback, where a secret must not.
    secret_hash = hashlib.sha256(credential.client_secret.reveal().encode("utf-8", "surrogatepass")).hexdigest()
    return _CacheKey(
        target.tenant,
        target.source_id,
        target.url,
        credential.token_url,
        credential.client_id,
        credential.scope,
        secret_hash,
    )
