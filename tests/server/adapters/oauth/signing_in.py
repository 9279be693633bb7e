"""A client that knows nothing but the server's address, and the person who signs in for it in a browser."""

import base64
import hashlib
import re
import secrets
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import httpx

from tests.support.engines.identity_provider import CLIENT_ID

REDIRECT_URI: Final = "http://127.0.0.1/back"
_FORM: Final = re.compile(r'action="([^"]+)"')
_STEPS: Final = 12


@dataclass(frozen=True, slots=True)
class Found:
    """Metadata that a client reads between the 401 and the provider.

    Attributes:
        resource: RFC 9728 metadata. provider: OpenID Connect discovery metadata.
    """

    resource: dict[str, Any]
    provider: dict[str, Any]


def discover(http: httpx.Client, mcp_url: str) -> Found:
    """Follows the challenge to the resource's metadata and from there to the provider's."""
    refused = http.post(mcp_url, json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    assert refused.status_code == 401
    named = re.fullmatch(r'Bearer resource_metadata="([^"]+)", scope="[^"]+"', refused.headers["www-authenticate"])
    assert named is not None
    resource = http.get(named[1]).raise_for_status().json()
    [issuer] = resource["authorization_servers"]
    metadata = http.get(f"{issuer}/.well-known/openid-configuration").raise_for_status().json()
    assert metadata["issuer"] == issuer
    return Found(resource, metadata)


def sign_in(http: httpx.Client, found: Found, user: str, scopes: str = "groundwire:search groundwire:verify") -> str:
    """The access token that the provider gives the client once this person has agreed (OAuth 2.1 with PKCE)."""
    verifier = secrets.token_urlsafe(48)
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    shared = {"client_id": CLIENT_ID, "redirect_uri": REDIRECT_URI, "resource": found.resource["resource"]}
    requested = {"response_type": "code", "scope": scopes, "code_challenge": challenge, "code_challenge_method": "S256"}
    page = http.get(found.provider["authorization_endpoint"], params={**shared, **requested})
    code = parse_qs(urlsplit(agree(http, page, user, REDIRECT_URI)).query)["code"][0]
    grant = {"grant_type": "authorization_code", "code": code, "code_verifier": verifier}
    answer = http.post(found.provider["token_endpoint"], data={**shared, **grant}).raise_for_status().json()
    assert answer["token_type"] == "Bearer"
    return str(answer["access_token"])


def agree(http: httpx.Client, page: httpx.Response, user: str, redirect_uri: str) -> str:
    """The address at which the provider leads the browser back, after as many pages and forms as it shows."""
    for _ in range(_STEPS):
        if page.is_redirect:
            goal = page.headers["location"]
            if goal.startswith(redirect_uri):
                return str(goal)
            page = http.get(page.url.join(goal))
        else:
            form = _FORM.search(page.text)
            assert form is not None, page.text
            prompt = "login" if 'value="login"' in page.text else "consent"
            page = http.post(page.url.join(form[1]), data={"prompt": prompt, "login": user, "password": "any"})
    raise AssertionError(page.text)
