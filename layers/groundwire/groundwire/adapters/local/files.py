"""Stored originals as files."""

import shutil
from hashlib import sha256
from pathlib import Path
from typing import Final

from groundwire.adapters.local import durable, faults
from groundwire.adapters.local.names import tenant_folder
from groundwire.domain import errors

_PLAIN: Final = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789-_.")
_LONGEST_NAME: Final = 200
_KEPT_OF_LONG_NAMES: Final = 120


class FileBlobs:
    """Implements `ports.Blobs` as `folder/<tenant>/blobs/<name of the key>`, one flat folder per tenant.

    Any key that is not empty may be stored; a key never becomes a path (see `file_name`).
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, tenant: str, key: str, content: bytes) -> None:
        """Stored and on disk; a crash leaves the old content or the new one."""
        path = self._path(tenant, key)
        with faults.filesystem(self._folder):
            durable.private_folder(path.parent)
            durable.replace(path, content)

    def get(self, tenant: str, key: str) -> bytes:
        """Raises NotFound."""
        path = self._path(tenant, key)
        try:
            with faults.filesystem(self._folder):
                return path.read_bytes()
        except errors.Unavailable as error:
            if isinstance(error.__cause__, FileNotFoundError):
                raise errors.NotFound("The stored original is not there: ingest the document again.") from error
            raise

    def address(self, tenant: str, key: str, file_name: str, seconds: int) -> str | None:  # noqa: ARG002 - the port's
        """None: the files of one machine are handed out by its server."""
        return None

    def delete(self, tenant: str, key: str) -> None:
        """Gone, and no error when it was before."""
        path = self._path(tenant, key)
        with faults.filesystem(self._folder):
            path.unlink(missing_ok=True)

    def drop(self, tenant: str) -> int:
        """All gone, what a crash left half-written too; counts the whole ones."""
        blobs = self._blobs(tenant)
        with faults.filesystem(self._folder):
            if not blobs.is_dir():
                return 0
            count = sum(not entry.name.startswith(durable.PART_PREFIX) for entry in blobs.iterdir())
            shutil.rmtree(blobs)
            return count

    def _blobs(self, tenant: str) -> Path:
        return tenant_folder(self._folder, tenant) / "blobs"

    def _path(self, tenant: str, key: str) -> Path:
        return self._blobs(tenant) / file_name(key)


def file_name(key: str) -> str:
    """A name for `key` that no other key has, on file systems that ignore case or normalise Unicode too.

    Lower-case letters, digits, `-`, `_` and inner dots stand for themselves, every other byte of the UTF-8
    text becomes `%xx`; a name that would be too long is cut and ends in `~` and the SHA-256 of the key.

    Raises:
        Invalid: the key is empty.
    """
    if not key:
        raise errors.Invalid("A stored file needs a key that is not empty.")
    raw = key.encode("utf-8", "surrogatepass")
    name = "".join(chr(byte) if byte in _PLAIN else f"%{byte:02x}" for byte in raw)
    if name.startswith("."):
        name = f"%2e{name[1:]}"
    if len(name) <= _LONGEST_NAME:
        return name
    return f"{name[:_KEPT_OF_LONG_NAMES]}~{sha256(raw).hexdigest()}"
