"""The answers of an OAuth provider: its discovery document and its token endpoint."""

import base64
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, unquote_plus

from tests.support.entry.https_server import Received
from tests.support.entry.mcp_servers.recording_server import Answer


@dataclass
class TokenScript:
    """Behaviour of a provider at `base`.

    Attributes:
        document: changes the members of the discovery document.
        status: of the token endpoint. expires_in: None: it does not say.
        issued: tokens in their order.
        instead: answers the token requests in place of everything else.
    """

    base: str = ""
    document: dict[str, object] = field(default_factory=dict[str, object])
    status: int = 200
    expires_in: object = 3_600
    issued: list[str] = field(default_factory=list[str])
    instead: Callable[[Received], Answer] | None = None

    def __call__(self, received: Received) -> Answer:
        """The answer to a request."""
        if received.target.endswith("/.well-known/openid-configuration"):
            members: dict[str, object] = {"issuer": self.base, "token_endpoint": f"{self.base}/token", **self.document}
            return Answer(json.dumps(members).encode())
        if self.instead is not None:
            return self.instead(received)
        if self.status != 200:
            return Answer(b'{"error": "invalid_grant", "error_description": "a canary"}', self.status)
        self.issued.append(f"issued-{len(self.issued) + 1}")
        expiry = {} if self.expires_in is None else {"expires_in": self.expires_in}
        token = {"access_token": self.issued[-1], "token_type": "Bearer", **expiry}
        return Answer(json.dumps(token).encode(), headers={"content-type": "application/json"})


def form_of(received: Received) -> dict[str, str]:
    """The form of a token request."""
    return dict(parse_qsl(received.body.decode(), strict_parsing=True))


def client_of(received: Received) -> tuple[str, str] | None:
    """Id and secret of HTTP Basic; None without it."""
    kind, _, encoded = received.headers.get("authorization", "").partition(" ")
    if kind != "Basic":
        return None
    name, _, secret = base64.b64decode(encoded).decode().partition(":")
    return unquote_plus(name), unquote_plus(secret)
