"""Secrets of a machine: the pepper of key digests, and the sealing key of links and cursors."""

import base64
import binascii
import json
import os
import secrets
import stat
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from groundwire.adapters.local.filesystem import atomic_files, os_errors
from groundwire.domain import errors
from groundwire.domain.text.json_values import load_mapping, required_text

_FILE_NAME: Final = "secrets.json"
_SECRET_BYTES: Final = 32
_ROOT: Final = 0
_GROUP_AND_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


class LocalSecrets:
    """`secrets.json` in `home`, mode 0600, made with random secrets on first use.

    Processes that start at once all get the same secrets.

    Args:
        has_keys: called when the file is missing. New secrets would refuse every key made with the old ones.

    Raises:
        Unavailable: `home` cannot be used, or the file is missing, damaged, another user's, or open to others.
    """

    def __init__(self, home: Path, has_keys: Callable[[], bool]) -> None:
        path = home / _FILE_NAME
        with os_errors.translate_os_errors(home):
            atomic_files.ensure_private_folder(home)
            _refuse_if_world_writable(home)
            if not path.exists():
                _refuse_if_missing(path, has_keys)
                atomic_files.create(path, _generate())
            text = _read(path)
        self._pepper, self._sealing_key = _parse(path, text)

    @property
    def pepper(self) -> bytes:
        """Pepper for `domain.keys.forms.key_text.key_digest`: 32 bytes."""
        return self._pepper

    @property
    def sealing_key(self) -> bytes:
        """Key for the `Sealer`: 32 bytes."""
        return self._sealing_key


def check_secrets(home: Path, has_keys: Callable[[], bool]) -> str:
    """Return the state of `secrets.json` in one sentence, without making the file.

    Raises:
        Unavailable: as in `LocalSecrets`.
    """
    path = home / _FILE_NAME
    with os_errors.translate_os_errors(home):
        if path.exists():
            _parse(path, _read(path))
            return "intact, readable only by its owner"
        _refuse_if_missing(path, has_keys)
    return "not there yet: the first key or the first start creates it"


def _read(path: Path) -> bytes:
    _refuse_if_open_to_others(path)
    return path.read_bytes()


def _refuse_if_missing(path: Path, has_keys: Callable[[], bool]) -> None:
    # Checked again: another process may have made the file and a key after the first check.
    if has_keys() and not path.exists():
        raise errors.Unavailable(
            f"{path} is missing, and the keys of this home work only with it: restore it from a backup. "
            "If there is none, revoke each key (`groundwire key list`, `groundwire key revoke`), then make new ones."
        )


def _generate() -> bytes:
    encoded_secrets = {
        name: base64.b64encode(secrets.token_bytes(_SECRET_BYTES)).decode() for name in ("pepper", "sealing_key")
    }
    return json.dumps(encoded_secrets, indent=2).encode() + b"\n"


def _refuse_if_open_to_others(path: Path) -> None:
    found = path.stat()
    if found.st_uid not in {os.geteuid(), _ROOT}:
        raise errors.Unavailable(f"{path} belongs to another user: run `chown $USER {path}`, then start again.")
    if found.st_mode & _GROUP_AND_OTHERS:
        raise errors.Unavailable(f"Other users can reach {path}: run `chmod 600 {path}`, then start again.")


def _refuse_if_world_writable(home: Path) -> None:
    mode = home.stat().st_mode
    # In a folder with the sticky bit, as /tmp, only a file's owner may rename or remove it.
    if mode & stat.S_IWOTH and not mode & stat.S_ISVTX:
        raise errors.Unavailable(f"Every user can write to {home}: run `chmod 700 {home}`, then start again.")


def _parse(path: Path, text: bytes) -> tuple[bytes, bytes]:
    members = load_mapping(text) or {}
    return _secret(path, members, "pepper"), _secret(path, members, "sealing_key")


def _secret(path: Path, members: Mapping[str, object], name: str) -> bytes:
    encoded = required_text(members, name, _damaged(path))
    try:
        secret = base64.b64decode(encoded, validate=True)
    except binascii.Error as error:
        raise _damaged(path) from error
    if len(secret) != _SECRET_BYTES:
        raise _damaged(path)
    return secret


def _damaged(path: Path) -> errors.Unavailable:
    return errors.Unavailable(
        f"{path} is damaged: restore it from a backup. If there is none, remove it, revoke each key "
        "(`groundwire key list`, `groundwire key revoke`), then make new ones."
    )
