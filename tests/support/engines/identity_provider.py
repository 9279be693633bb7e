"""A certified OpenID Connect provider on this machine (`oidc-provider` for Node.js), installed from its lock."""

import json
import os
import shutil
import subprocess
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from jwt.algorithms import RSAAlgorithm

from tests.support.documentation.shell import free_port
from tests.support.engines.installers.node import NODE, packages
from tests.support.engines.missing import Absent, answer
from tests.support.registry.token_issuer import rsa_key

_ROOT: Final = Path(__file__).parents[3]
_SOURCE: Final = Path(__file__).parent / "oidc_provider"
CLIENT_ID: Final = "an agent"
_INSTALLED: Final = _ROOT / ".cache" / "oidc-provider"
_STOP_S: Final = 30


@dataclass(frozen=True, slots=True)
class Provider:
    """A provider that may be started again on its port, with other keys.

    Attributes:
        tokens: what the tokens of each user hold beside the standard claims.
        client: the registration of the one client, RFC 7591.
    """

    port: int
    tokens: Mapping[str, Mapping[str, object]]
    client: Mapping[str, object]

    @property
    def issuer(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @contextmanager
    def running(self, kid: str) -> Generator[None]:
        """It answers, and signs with the key of this kid, until the end of the block."""
        jwk: dict[str, Any] = RSAAlgorithm.to_jwk(rsa_key(kid), as_dict=True)
        keys = [{**{name: value for name, value in jwk.items() if name != "key_ops"}, "kid": kid, "alg": "RS256"}]
        given = {"port": self.port, "jwks": {"keys": keys}, "tokens": self.tokens, "client": self.client}
        with subprocess.Popen(
            [NODE, program(), json.dumps(given)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        ) as process:
            assert process.stdout is not None
            assert process.stdin is not None
            try:
                assert process.stdout.readline() == "listening\n"
                yield
            finally:
                process.stdin.close()
                process.wait(_STOP_S)


def provider(tokens: Mapping[str, Mapping[str, object]], *redirect_uris: str) -> Provider:
    """One for a public client that comes back to these addresses."""
    client = {
        "client_id": CLIENT_ID,
        "redirect_uris": redirect_uris,
        "response_types": ["code"],
        "grant_types": ["authorization_code"],
        "token_endpoint_auth_method": "none",
        "application_type": "native",
    }
    return Provider(free_port(), tokens, client)


def program() -> Path:
    """The provider's program, beside the packages that it imports; where these cannot be had, the test is left out."""
    try:
        packages(_SOURCE / "package-lock.json", _INSTALLED)
    except Absent as absent:
        answer(absent)
    placed = _INSTALLED / "provider.mjs"
    # Whole at any moment: another process of the tests may be starting it.
    part = placed.with_suffix(f".{os.getpid()}")
    shutil.copyfile(_SOURCE / placed.name, part)
    part.replace(placed)
    return placed
