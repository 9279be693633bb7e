"""An identity provider of the tests' own: real keys behind a real socket, and tokens as wrong as a test wants them."""

import base64
import json
import threading
from collections import Counter
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm

from groundwire.adapters.oidc import JwtVerifier, ProviderDocuments
from groundwire.domain.keys.forms.oauth import IdentityProvider
from groundwire_egress import AllowedHosts

NOW: Final = 1_800_000_000.0
AUDIENCE: Final = "https://rag.example/mcp"
DISCOVERY: Final = "/.well-known/openid-configuration"
JWKS: Final = "/keys"

PrivateKey = rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey | ed25519.Ed25519PrivateKey


@cache
def rsa_key(name: str, bits: int = 2_048) -> rsa.RSAPrivateKey:
    """The same one for the same name: making one takes longer than a test."""
    return rsa.generate_private_key(65_537, bits)


MAKERS: Final[Mapping[str, Callable[[], PrivateKey]]] = {
    "RS256": lambda: rsa_key("RS256"),
    "PS256": lambda: rsa_key("PS256"),
    "ES256": lambda: ec.generate_private_key(ec.SECP256R1()),
    "ES384": lambda: ec.generate_private_key(ec.SECP384R1()),
    "EdDSA": ed25519.Ed25519PrivateKey.generate,
}


def public_jwk(key: PrivateKey, **members: object) -> dict[str, Any]:
    """The public half as a provider publishes it."""
    if isinstance(key, rsa.RSAPrivateKey):
        shown = RSAAlgorithm.to_jwk(key.public_key(), as_dict=True)
    elif isinstance(key, ec.EllipticCurvePrivateKey):
        shown = ECAlgorithm.to_jwk(key.public_key(), as_dict=True)
    else:
        shown = OKPAlgorithm.to_jwk(key.public_key(), as_dict=True)
    return {**shown, "use": "sig", **members}


def verifier_of(provider: IdentityProvider) -> JwtVerifier:
    """A verifier of a server whose operator allows no host beside the provider's."""
    return JwtVerifier(provider, ProviderDocuments(provider, AllowedHosts(frozenset()), None).fetch)


@dataclass
class Reply:
    """What the provider answers at a path."""

    body: bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass
class Issuer:
    """A provider that answers.

    Attributes:
        keys: private keys by kid; the newest signs.
        asked: how often each path was fetched.
        replies: what is answered instead, by path.
        holding: answers wait until it is set. arrived: is released by every request that waits.
        metadata: members of its discovery document beside issuer and keys.
        receive: answers a form that was sent to a path; None: it takes none.
    """

    url: str
    keys: dict[str, PrivateKey] = field(default_factory=dict[str, PrivateKey])
    algorithm: str = "RS256"
    cache_control: str = ""
    requested: Counter[str] = field(default_factory=Counter[str])
    replies: dict[str, Reply] = field(default_factory=dict[str, Reply])
    arrived: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    holding: threading.Event = field(default_factory=threading.Event)
    metadata: dict[str, object] = field(default_factory=dict[str, object])
    receive: Callable[[str, bytes], Reply] | None = None

    @property
    def provider(self) -> IdentityProvider:
        """Its tokens as a server of one tenant accepts them."""
        return IdentityProvider(self.url, AUDIENCE, None, "t_north", None, "sub", "groups")

    @property
    def kid(self) -> str:
        return next(reversed(self.keys))

    def rotate(self, kid: str, algorithm: str = "RS256") -> None:
        """From now on a new key signs, and no other is published."""
        self.keys = {kid: rsa_key(kid) if algorithm == "RS256" else MAKERS[algorithm]()}
        self.algorithm = algorithm

    def publish(self, *keys: object) -> None:
        """From now on these are its published keys, whatever it signs with."""
        self.replies[JWKS] = Reply(json.dumps({"keys": keys}).encode())

    def claims(self, **changes: object) -> dict[str, object]:
        """Those of a good token; `None` leaves a claim out."""
        good = {"iss": self.url, "aud": AUDIENCE, "sub": "ana", "exp": NOW + 300, "iat": NOW, "scope": "openid"}
        return {name: value for name, value in {**good, **changes}.items() if value is not None}

    def token(self, *, header: Mapping[str, object] | None = None, key: Any = None, **changes: object) -> str:
        """A token signed by the newest key, or by `key`."""
        full = {"typ": "at+jwt", "alg": self.algorithm, "kid": self.kid, **(header or {})}
        parts = [encoded({name: value for name, value in full.items() if value is not None})]
        parts.append(encoded(self.claims(**changes)))
        signer = jwt.get_algorithm_by_name(self.algorithm)
        signature = signer.sign(".".join(parts).encode(), key or self.keys[self.kid])
        return ".".join([*parts, base64.urlsafe_b64encode(signature).rstrip(b"=").decode()])

    def reply(self, path: str) -> Reply:
        """What is answered at this path."""
        self.requested[path] += 1
        if path in self.replies:
            return self.replies[path]
        documents: Mapping[str, object] = {
            DISCOVERY: {"issuer": self.url, "jwks_uri": self.url + JWKS, **self.metadata},
            JWKS: {"keys": [public_jwk(key, kid=kid) for kid, key in self.keys.items()]},
        }
        if path not in documents:
            return Reply(b"", 404)
        return Reply(json.dumps(documents[path]).encode(), headers={"cache-control": self.cache_control})


def encoded(part: object) -> str:
    """One part of a token."""
    return base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode()


@contextmanager
def running() -> Generator[Issuer]:
    """A provider with one key, until the end of the block."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if not issuer.holding.is_set():
                issuer.arrived.release()
            issuer.holding.wait()
            self.answer(issuer.reply(self.path))

        def do_POST(self) -> None:
            form = self.rfile.read(int(self.headers["content-length"]))
            issuer.requested[self.path] += 1
            self.answer(Reply(b"", 404) if issuer.receive is None else issuer.receive(self.path, form))

        def answer(self, reply: Reply) -> None:
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(reply.body)))
            self.end_headers()
            self.wfile.write(reply.body)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name is the base class's
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    issuer = Issuer(f"http://127.0.0.1:{server.server_port}")
    issuer.rotate("first")
    issuer.holding.set()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield issuer
    finally:
        issuer.holding.set()
        server.shutdown()
        thread.join()
        server.server_close()
