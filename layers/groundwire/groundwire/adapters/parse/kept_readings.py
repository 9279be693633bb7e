"""Readings that a plan keeps for the run after it, so that the run does not parse the same files again.

A reading is a file `folder/<tenant>/blobs/.readings/<key>.cache`. The key is a digest of the content, its type, the
revision of the readers and what was asked of them. So a reading is never used for other bytes or by other readers. It
is deleted when it is used, by the first run a day later, and with the originals of the tenant.
"""

import hashlib
import time
from collections.abc import Iterator
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Final

from groundwire.adapters.local.filesystem import atomic_files, os_errors
from groundwire.adapters.local.filesystem.tenant_folder import tenant_folder
from groundwire.adapters.parse.function.results import decode_result, encode_refusal, encode_whole_document
from groundwire.domain.errors import DocumentRefused, ParsingFailed

if TYPE_CHECKING:
    from groundwire.ports import Parser, Parsers
    from groundwire_readers.contents.parsed import ParsedDocument

MAX_KEPT_BYTES: Final = 512 * 1_048_576
"""Maximum size of a tenant's readings together; files beyond it are parsed again by the run."""
MAX_KEPT_SECONDS: Final = 86_400.0
"""Time after which a reading that no run has used is deleted."""
_SUFFIX: Final = ".cache"
"""Suffix of files that a backup leaves out."""


class KeptReadings:
    """Parsers over kept readings; implements `ports.Parsers`.

    Args:
        parsers: read what is not kept.
        folder: folder of the tenants.
        keeps: keep each reading instead of using it up.
    """

    def __init__(self, parsers: "Parsers", folder: Path, *, keeps: bool) -> None:
        self._parsers = parsers
        self._folder = folder
        self._keeps = keeps
        self._cleaned: set[Path] = set()

    @property
    def version(self) -> str:
        """Name and version of the parser."""
        return self._parsers.version

    @property
    def ocr_version(self) -> str:
        """Name of the text recognition."""
        return self._parsers.ocr_version

    def for_tenant(self, tenant: str, /) -> "Parser":
        """Return the parser over the tenant's readings."""
        folder = tenant_folder(self._folder, tenant) / "blobs" / ".readings"
        revision = f"{self.version}\0{self.ocr_version}"
        if folder not in self._cleaned:
            # Files that changed or were deleted since the plan leave readings that no run uses.
            self._cleaned.add(folder)
            with suppress(OSError):
                sum(_recent_sizes(folder))
        return _ReadingParser(self._parsers.for_tenant(tenant), folder, revision, keeps=self._keeps)


class _ReadingParser:
    """Parser of one tenant's documents that knows what was read before."""

    def __init__(self, parser: "Parser", folder: Path, revision: str, *, keeps: bool) -> None:
        self._parser = parser
        self._folder = folder
        self._revision = revision
        self._keeps = keeps

    def parse(
        self, content: bytes, file_type: str, *, with_images: bool = False, with_thumbnails: bool = False
    ) -> "ParsedDocument":
        """Return the kept reading of this content, else parse it; arguments and errors are those of the port."""
        request = f"{self._revision}\0{file_type}\0{with_images}\0{with_thumbnails}\0"
        key = hashlib.sha256(request.encode() + hashlib.sha256(content).digest()).hexdigest()
        path = self._folder / f"{key}{_SUFFIX}"
        reading = self._read(path)
        if reading is not None:
            # A damaged file is no reading; the document is parsed again.
            with suppress(ParsingFailed):
                return decode_result(BytesIO(reading), key, self._revision, with_thumbnails=with_thumbnails)
        try:
            document = self._parser.parse(content, file_type, with_images=with_images, with_thumbnails=with_thumbnails)
        except ParsingFailed:
            # The worker ended, which another attempt may not repeat.
            raise
        except DocumentRefused as refusal:
            self._keep(path, encode_refusal(key, self._revision, refusal))
            raise
        if self._keeps:
            self._keep(path, self._encoded(key, document, with_thumbnails=with_thumbnails))
        return document

    def _encoded(self, key: str, document: "ParsedDocument", *, with_thumbnails: bool) -> bytes | None:
        """Return the document as a reading; None where a run would not get the same document back."""
        reading = encode_whole_document(key, self._revision, document)
        if reading is None:
            return None
        try:
            decoded = decode_result(BytesIO(reading), key, self._revision, with_thumbnails=with_thumbnails)
        except DocumentRefused:
            return None
        return reading if decoded == document else None

    def _read(self, path: Path) -> bytes | None:
        try:
            reading = path.read_bytes()
        except OSError:
            return None
        if not self._keeps:
            with suppress(OSError):
                path.unlink()
        return reading

    def _keep(self, path: Path, reading: bytes | None) -> None:
        """Store a reading; without space for it, the run parses the file again."""
        if not self._keeps or reading is None:
            return
        with os_errors.translate_os_errors(self._folder):
            atomic_files.ensure_private_folder(self._folder)
            if sum(_recent_sizes(self._folder)) + len(reading) <= MAX_KEPT_BYTES:
                atomic_files.replace(path, reading)


def _recent_sizes(folder: Path) -> Iterator[int]:
    """Yield the sizes of the readings, without those that are too old, which are deleted."""
    for path in folder.iterdir():
        try:
            status = path.stat()
        except FileNotFoundError:
            # A run beside this one has used the reading.
            continue
        if time.time() - status.st_mtime > MAX_KEPT_SECONDS:
            path.unlink(missing_ok=True)
        else:
            yield status.st_size
