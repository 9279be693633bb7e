"""Stored originals as files."""

import shutil
from pathlib import Path

from groundwire.adapters.codecs.file_names import file_name
from groundwire.adapters.local.filesystem import atomic_files, os_errors
from groundwire.adapters.local.filesystem.partial_files import PARTIAL_ORIGINAL_PREFIX
from groundwire.adapters.local.filesystem.tenant_folder import tenant_folder
from groundwire.domain import errors


class FileBlobs:
    """Implements `ports.Blobs` as `folder/<tenant>/blobs/<name of the key>`, one flat folder per tenant.

    Any key that is not empty may be stored; a key never becomes a path (see `file_name`).
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, tenant: str, key: str, content: bytes) -> None:
        """Store the content durably; a crash leaves the old content or the new one.

        The caller holds the tenant's ingest lock, whose next holder removes incomplete files of a crash.
        """
        path = self._path(tenant, key)
        with os_errors.translate_os_errors(self._folder):
            atomic_files.ensure_private_folder(path.parent)
            atomic_files.replace(path, content, PARTIAL_ORIGINAL_PREFIX)

    def get(self, tenant: str, key: str) -> bytes:
        """Return the content.

        Raises:
            NotFound: there is no such original.
        """
        path = self._path(tenant, key)
        try:
            with os_errors.translate_os_errors(self._folder):
                return path.read_bytes()
        except errors.Unavailable as error:
            if isinstance(error.__cause__, FileNotFoundError):
                raise errors.NotFound("The stored original is missing. Ingest the document again.") from error
            raise

    def download_url(self, tenant: str, key: str, media_type: str, disposition: str, seconds: int) -> str | None:  # noqa: ARG002 - the port's
        """Return None: the server of a single machine sends the files itself."""
        return None

    def delete(self, tenant: str, key: str) -> None:
        """Delete the original; no error when it does not exist."""
        path = self._path(tenant, key)
        with os_errors.translate_os_errors(self._folder):
            path.unlink(missing_ok=True)

    def drop(self, tenant: str) -> int:
        """Delete all originals and incomplete files; return the number of complete ones."""
        blobs = self._blobs(tenant)
        with os_errors.translate_os_errors(self._folder):
            if not blobs.is_dir():
                return 0
            count = sum(
                entry.is_file() and not entry.name.startswith(atomic_files.PARTIAL_PREFIX) for entry in blobs.iterdir()
            )
            shutil.rmtree(blobs)
            return count

    def _blobs(self, tenant: str) -> Path:
        return tenant_folder(self._folder, tenant) / "blobs"

    def _path(self, tenant: str, key: str) -> Path:
        return self._blobs(tenant) / file_name(key)
