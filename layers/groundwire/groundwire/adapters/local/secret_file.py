"""The two secrets of a machine: what keys are digested with, and what links and cursors are sealed with."""

import base64
import binascii
import json
import secrets
import stat
from pathlib import Path
from typing import Final, cast

from groundwire.adapters.local import durable, faults
from groundwire.domain import errors

_BYTES: Final = 32
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


class LocalSecrets:
    """`secrets.json` in `home`, mode 0600, made with random secrets on first use.

    Of several processes that start at once, all get the same secrets.

    Raises:
        Unavailable: `home` cannot be used, or the file is damaged or open to other users.
    """

    def __init__(self, home: Path) -> None:
        path = home / "secrets.json"
        with faults.filesystem(home):
            durable.private_folder(home)
            if not path.exists():
                durable.create(path, _fresh())
            _refuse_if_open_to_others(path)
            text = path.read_bytes()
        self._pepper, self._sealing_key = _parse(path, text)

    @property
    def pepper(self) -> bytes:
        """For `domain.keys.digest`: 32 bytes."""
        return self._pepper

    @property
    def sealing_key(self) -> bytes:
        """For the `Seal`: 32 bytes."""
        return self._sealing_key


def _fresh() -> bytes:
    made = {name: base64.b64encode(secrets.token_bytes(_BYTES)).decode() for name in ("pepper", "sealing_key")}
    return json.dumps(made, indent=2).encode() + b"\n"


def _refuse_if_open_to_others(path: Path) -> None:
    if path.stat().st_mode & _OTHERS:
        raise errors.Unavailable(f"Other users can reach {path}: run `chmod 600 {path}`, then start again.")


def _parse(path: Path, text: bytes) -> tuple[bytes, bytes]:
    try:
        held = cast("object", json.loads(text))
        if not isinstance(held, dict):
            raise _damaged(path)
        members = cast("dict[str, object]", held)
        return _secret(path, members.get("pepper")), _secret(path, members.get("sealing_key"))
    except (ValueError, RecursionError) as error:
        raise _damaged(path) from error


def _secret(path: Path, encoded: object) -> bytes:
    if not isinstance(encoded, str):
        raise _damaged(path)
    try:
        secret = base64.b64decode(encoded, validate=True)
    except binascii.Error as error:
        raise _damaged(path) from error
    if len(secret) != _BYTES:
        raise _damaged(path)
    return secret


def _damaged(path: Path) -> errors.Unavailable:
    return errors.Unavailable(
        f"{path} is damaged: restore it from a backup. Removing it makes a new one, and every key must be made anew."
    )
