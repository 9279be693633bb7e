"""Uploaded files on their way into a tenant: each stays until it was read, over a crash and a restart too."""

import os
import re
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final

from groundwire.adapters.local import durable, faults
from groundwire.adapters.local.names import tenant_folder
from groundwire.domain import errors
from groundwire.domain.uploads import Upload

_PREFIX: Final = ".upload-"
"""No name of a stored original begins with a dot."""
_TICKET: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")


class Inbox:
    """Keeps a file as `folder/<tenant>/blobs/.upload-<ticket>`: beside the tenant's originals, to go with them.

    Every method raises Unavailable when the disk does not do what it should.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @contextmanager
    def writing(self, tenant: str, ticket: str) -> Generator[IO[bytes]]:
        """Keep what is written inside, whole, at the end of the block; nothing of it when the block raises.

        Raises:
            Conflict: at the end of the block, when another file waits under this ticket; that one stays.
        """
        # Late: with it comes `random`, which a function that only reads would load for nothing.
        import tempfile

        path = self._path(tenant, ticket)
        with faults.filesystem(self._folder):
            durable.private_folder(path.parent)
            descriptor, name = tempfile.mkstemp(prefix=durable.PART_PREFIX, dir=path.parent)
            part = Path(name)
            try:
                with os.fdopen(descriptor, "wb") as file:
                    yield file
                    file.flush()
                    os.fsync(file.fileno())
                if not durable.link(part, path):
                    raise errors.Conflict("A file waits under this ticket already.")
            finally:
                with suppress(FileNotFoundError):
                    part.unlink()

    def holds(self, tenant: str, ticket: str) -> bool:
        """Tells whether a file waits under this ticket."""
        with faults.filesystem(self._folder):
            return self._path(tenant, ticket).exists()

    def read(self, tenant: str, ticket: str) -> bytes:
        """The file that came with this ticket; Raises Unavailable when it is gone."""
        with faults.filesystem(self._folder):
            return self._path(tenant, ticket).read_bytes()

    def remove(self, tenant: str, ticket: str) -> None:
        """It was read; no error when it is gone."""
        with faults.filesystem(self._folder):
            self._path(tenant, ticket).unlink(missing_ok=True)

    def has(self, tenant: str, upload: Upload) -> bool:
        """Tell whether the file of this upload waits here."""
        return self.holds(tenant, upload.ticket)

    def waiting(self) -> Iterator[tuple[str, str, float]]:
        """Tenant, ticket, and when the file was whole (epoch seconds), of all that have not been removed."""
        with faults.filesystem(self._folder):
            for path in sorted(self._folder.glob(f"*/blobs/{_PREFIX}*")):
                yield path.parent.parent.name, path.name.removeprefix(_PREFIX), path.stat().st_mtime

    def _path(self, tenant: str, ticket: str) -> Path:
        if _TICKET.fullmatch(ticket) is None:
            raise errors.Invalid("A ticket consists of letters, digits, - and _, at most 64.")
        return tenant_folder(self._folder, tenant) / "blobs" / f"{_PREFIX}{ticket}"
