"""Authorization code flow of the tests' own identity provider, with errors of other parties that a test wants."""

import base64
import hashlib
import json
import secrets
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode, urlsplit

from tests.support.registry.token_issuer import Issuer, Reply, running

AUTHORIZE: Final = "/authorize"
TOKEN: Final = "/token"
CLIENT_ID: Final = "the page"


@dataclass(frozen=True, slots=True)
class Grant:
    """What a code was issued for."""

    request: Mapping[str, str]
    claims: Mapping[str, object]


@dataclass
class CodeProvider:
    """Provider of one public client.

    Attributes:
        accepts_codes_twice: it breaks RFC 6749, 4.1.2: a code works again.
        forms: the forms that its token endpoint received.
    """

    issuer: Issuer
    accepts_codes_twice: bool = False
    forms: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    _grants: dict[str, Grant] = field(default_factory=dict[str, Grant])

    def approve(self, address: str, **claims: object) -> dict[str, str]:
        """Sign a person in, and return the parameters that lead the browser back."""
        assert address.startswith(f"{self.issuer.url}{AUTHORIZE}?")
        request = dict(parse_qsl(urlsplit(address).query, strict_parsing=True))
        assert (request["response_type"], request["client_id"]) == ("code", CLIENT_ID)
        assert request["code_challenge_method"] == "S256"
        code = secrets.token_urlsafe(16)
        self._grants[code] = Grant(request, claims)
        return {"code": code, "state": request["state"], "iss": self.issuer.url}

    def receive(self, path: str, body: bytes) -> Reply:
        """Answer a request for a token."""
        form = dict(parse_qsl(body.decode(), strict_parsing=True))
        self.forms.append(form)
        code = form["code"]
        grant = self._grants.get(code) if self.accepts_codes_twice else self._grants.pop(code, None)
        if path != TOKEN or grant is None or not _proves(form, grant.request):
            return Reply(json.dumps({"error": "invalid_grant"}).encode(), 400)
        claims: dict[str, Any] = {"scope": grant.request["scope"], "aud": grant.request.get("resource"), **grant.claims}
        members = {"access_token": self.issuer.token(**claims), "token_type": "Bearer"}
        return Reply(json.dumps(members).encode())


def _proves(form: Mapping[str, str], request: Mapping[str, str]) -> bool:
    digest = hashlib.sha256(form["code_verifier"].encode()).digest()
    challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
    same = all(form.get(name) == request.get(name) for name in ("client_id", "redirect_uri", "resource"))
    return same and challenge == request["code_challenge"] and form["grant_type"] == "authorization_code"


def query(parameters: Mapping[str, str]) -> str:
    """Return the parameters as a browser sends them."""
    return urlencode(parameters)


@contextmanager
def running_code_provider() -> Generator[CodeProvider]:
    """Run a provider that issues codes, until the end of the block."""
    with running() as issuer:
        provider = CodeProvider(issuer)
        issuer.metadata["authorization_endpoint"] = issuer.url + AUTHORIZE
        issuer.metadata["token_endpoint"] = issuer.url + TOKEN
        issuer.receive = provider.receive
        yield provider
