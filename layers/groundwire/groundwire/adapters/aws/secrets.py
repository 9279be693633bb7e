"""Secrets of a deployment: the pepper of key digests, and the sealing key of links and cursors."""

import hmac
from typing import TYPE_CHECKING, Final

from botocore.exceptions import BotoCoreError, ClientError

from groundwire.domain import errors
from groundwire.domain.text.json_values import load_mapping, required_text, text_member

if TYPE_CHECKING:
    from types_boto3_secretsmanager import SecretsManagerClient

_MIN_ROOT_CHARACTERS: Final = 43
"""Random letters and digits: 256 bits."""


class CloudSecrets:
    """Pepper and sealing key, derived from one text that Secrets Manager generated for the stack, `{"root":
    "<random>"}`.

    A secret of a template has one generated text. The derivation keeps one secret from revealing the other. The text is
    read once.

    Raises:
        Unavailable: the secret cannot be read, or has another form.
    """

    def __init__(self, client: "SecretsManagerClient", arn: str) -> None:
        root = _parse_root(read_secret(client, arn))
        self._pepper = _derive_key(root, b"groundwire pepper 1")
        self._sealing_key = _derive_key(root, b"groundwire sealing key 1")

    @property
    def pepper(self) -> bytes:
        """Pepper for `domain.keys.forms.key_text.key_digest`: 32 bytes."""
        return self._pepper

    @property
    def sealing_key(self) -> bytes:
        """Key for the `Sealer`: 32 bytes."""
        return self._sealing_key


def read_secret(client: "SecretsManagerClient", arn: str) -> str:
    """Return the text of the secret.

    Raises:
        Unavailable: Secrets Manager does not respond, or the role may not read the secret.
    """
    try:
        return client.get_secret_value(SecretId=arn).get("SecretString", "")
    except ClientError as error:
        code = error.response.get("Error", {}).get("Code")
        raise errors.Unavailable(
            f"The secret cannot be read ({code}): check that it exists and that the function's role may read it."
        ) from error
    except BotoCoreError as error:
        raise errors.Unavailable(
            f"Secrets Manager does not answer ({type(error).__name__}): try again soon."
        ) from error


def read_api_key(client: "SecretsManagerClient", arn: str) -> str:
    """Return the API key of a secret `{"key": "<key>"}`.

    Raises:
        Unavailable: the secret cannot be read, or has another form.
    """
    unusable = errors.Unavailable('The secret is not a JSON object with a "key", the API key of the model\'s service.')
    return required_text(load_mapping(read_secret(client, arn)) or {}, "key", unusable)


def _parse_root(document: str) -> bytes:
    root = text_member(load_mapping(document) or {}, "root")
    if root is None or len(root) < _MIN_ROOT_CHARACTERS:
        raise errors.Unavailable(
            f'The secret is not a JSON object with a "root" of at least {_MIN_ROOT_CHARACTERS} random '
            "characters. Restore its former value: with another value, every key must be created again."
        )
    return root.encode()


def _derive_key(root: bytes, label: bytes) -> bytes:
    """Derive 32 bytes as HKDF-Expand with one block (RFC 5869): the root is as random as a key."""
    return hmac.digest(root, label + b"\x01", "sha256")
