"""Uploaded files of one machine; each stays until it has been ingested, across crashes and restarts."""

import json
import os
import re
from base64 import b64encode
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final, cast

from groundwire.adapters.codecs.file_names import validate_tenant_id
from groundwire.adapters.local.filesystem import atomic_files, os_errors
from groundwire.adapters.local.filesystem.tenant_folder import tenant_folder
from groundwire.domain import errors
from groundwire.domain.documents.uploads import Upload
from groundwire.ports import Sealer
from groundwire.ports.uploads import SEALED_FIELD, UploadForm, UploadTerms

_SEAL_PURPOSE: Final = "upload"


class LocalUploadForms:
    """Implements `ports.uploads.SealedUploadForms`.

    The field `policy` holds, sealed, the JSON array of the terms' members.
    """

    def __init__(self, seal: Sealer, public_url: str) -> None:
        self._seal = seal
        self._public_url = public_url.rstrip("/")

    def form(self, terms: UploadTerms) -> UploadForm:
        """Return a form for this server's public address."""
        members = [
            terms.tenant,
            terms.ticket,
            terms.path,
            terms.size,
            terms.content_type,
            terms.sha256,
            terms.expires_at,
        ]
        policy = self._seal.seal(_SEAL_PURPOSE, json.dumps(members).encode())
        # First, as most clients keep the order: a form without a ticket is then refused at once.
        return UploadForm(f"{self._public_url}/upload/{terms.ticket}", {SEALED_FIELD: policy} | _required_fields(terms))

    def open_sealed(self, sealed: str) -> UploadTerms | None:
        """Return the terms; None for a text that was not sealed here."""
        payload = self._seal.unseal(_SEAL_PURPOSE, sealed)
        if payload is None:
            return None
        return UploadTerms(*cast("tuple[str, str, str, int, str, str, int]", tuple(json.loads(payload))))

    def verify_fields(self, ticket: str, fields: Mapping[str, str]) -> UploadTerms | None:
        """Return the terms when every required field has its value; ignores other fields."""
        terms = self.open_sealed(fields.get(SEALED_FIELD, ""))
        if terms is None:
            return None
        required = _required_fields(terms)
        same = terms.ticket == ticket and all(fields.get(name) == value for name, value in required.items())
        return terms if same else None


def _required_fields(terms: UploadTerms) -> dict[str, str]:
    return {
        "key": f"tenants/{validate_tenant_id(terms.tenant)}/{terms.path}",
        "Content-Type": terms.content_type,
        "x-amz-checksum-sha256": b64encode(bytes.fromhex(terms.sha256)).decode(),
    }


_PREFIX: Final = ".upload-"
"""Prefix of uploaded files; no name of a stored original begins with a dot."""
_TICKET_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")


class FileUploadInbox:
    """Inbox of files `folder/<tenant>/blobs/.upload-<ticket>`, beside the tenant's originals, to be deleted with them.

    Every method raises Unavailable when the disk fails.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @contextmanager
    def open_writer(self, tenant: str, ticket: str) -> Generator[IO[bytes]]:
        """Store what the block writes, as a whole, at the end of the block; store nothing when the block raises.

        Raises:
            Conflict: at the end of the block, when another file waits under this ticket; that one stays.
        """
        # Imported lazily: it loads `random`, which a function that only reads does not need.
        import tempfile

        path = self._path(tenant, ticket)
        with os_errors.translate_os_errors(self._folder):
            atomic_files.ensure_private_folder(path.parent)
            descriptor, name = tempfile.mkstemp(prefix=atomic_files.PARTIAL_PREFIX, dir=path.parent)
            part = Path(name)
            try:
                with os.fdopen(descriptor, "wb") as file:
                    yield file
                    file.flush()
                    os.fsync(file.fileno())
                if not atomic_files.link_into_place(part, path):
                    raise errors.Conflict("A file waits under this ticket already.")
            finally:
                with suppress(FileNotFoundError):
                    part.unlink()

    def contains(self, tenant: str, ticket: str) -> bool:
        """Return whether a file waits under this ticket."""
        with os_errors.translate_os_errors(self._folder):
            return self._path(tenant, ticket).exists()

    def read(self, tenant: str, ticket: str) -> bytes:
        """Return the file of this ticket.

        Raises:
            Unavailable: it does not exist.
        """
        with os_errors.translate_os_errors(self._folder):
            return self._path(tenant, ticket).read_bytes()

    def remove(self, tenant: str, ticket: str) -> None:
        """Remove the file after ingestion; no error when it does not exist."""
        with os_errors.translate_os_errors(self._folder):
            self._path(tenant, ticket).unlink(missing_ok=True)

    def contains_upload(self, tenant: str, upload: Upload) -> bool:
        """Return whether the file of this upload waits."""
        return self.contains(tenant, upload.ticket)

    def list_pending(self) -> Iterator[tuple[str, str, float]]:
        """Yield tenant, ticket and completion time (epoch seconds) of all waiting files."""
        with os_errors.translate_os_errors(self._folder):
            for path in sorted(self._folder.glob(f"*/blobs/{_PREFIX}*")):
                yield path.parent.parent.name, path.name.removeprefix(_PREFIX), path.stat().st_mtime

    def _path(self, tenant: str, ticket: str) -> Path:
        if _TICKET_ID.fullmatch(ticket) is None:
            raise errors.InvalidInput("A ticket consists of letters, digits, - and _, at most 64.")
        return tenant_folder(self._folder, tenant) / "blobs" / f"{_PREFIX}{ticket}"
