"""User and password of an ordinary cluster."""

import base64
from threading import Lock
from typing import TYPE_CHECKING

from groundwire.adapters.aws.secrets import read_secret
from groundwire.domain import errors
from groundwire.domain.text.json_values import load_mapping, required_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from types_boto3_secretsmanager import SecretsManagerClient


class SecretLogin:
    """Login stored in Secrets Manager as `{"username": …, "password": …}`; read on first use, and again when refused.

    Attributes:
        arn: ARN of the secret.
    """

    def __init__(self, client: "Callable[[], SecretsManagerClient]", arn: str) -> None:
        self.arn = arn
        self._client = client
        self._lock = Lock()
        self._cached_header: str | None = None

    def __repr__(self) -> str:
        """Omit the secret values."""
        return f"SecretLogin({self.arn!r})"

    def authorization_header(self) -> str:
        """Return the value of the header `authorization`.

        Raises:
            Unavailable: the secret cannot be read, or is no login.
        """
        with self._lock:
            if self._cached_header is None:
                self._cached_header = self._read()
            return self._cached_header

    def was_replaced(self, refused: str) -> bool:
        """Return whether the secret now holds another login than the refused one.

        Raises:
            Unavailable: as in `authorization_header`.
        """
        with self._lock:
            if self._cached_header in {None, refused}:
                # Concurrent requests are refused at the same time: the first of them reads for all.
                self._cached_header = self._read()
            return self._cached_header != refused

    def _read(self) -> str:
        return _basic_auth(*_parse_login(read_secret(self._client(), self.arn)))


def _parse_login(document: str) -> tuple[str, str]:
    members = load_mapping(document) or {}
    unusable = errors.Unavailable(
        'The secret of the index is no JSON object with a "username" and a "password": correct it.', retry_after_s=30
    )
    return required_text(members, "username", unusable), required_text(members, "password", unusable)


def _basic_auth(user: str, password: str) -> str:
    """Encode the login as RFC 7617 defines, in UTF-8."""
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()
