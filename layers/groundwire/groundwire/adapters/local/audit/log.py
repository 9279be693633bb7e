"""Appends to the audit log, with recovery after a crash."""

import fcntl
import os
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from groundwire.adapters.codecs.audit_line import make_line, parse_record
from groundwire.adapters.local.audit import recovery
from groundwire.adapters.local.audit.head import ChainHead, read_head, write_head
from groundwire.adapters.local.filesystem import atomic_files, disk_reserve, os_errors
from groundwire.domain.audit.lines import INGEST_ACTION

if TYPE_CHECKING:
    from groundwire.adapters.local.audit.verification import ChainVerification

_BLOCK_BYTES: Final = 65_536


def last_records(log: Path, count: int) -> Iterator[dict[str, object]]:
    """Yield the records of the last `count` complete lines, oldest first; none when there is no log yet."""
    if count < 1 or not log.exists():
        return
    for raw in _last_lines(log, count):
        record = parse_record(raw)
        if record is not None:
            yield record


def _last_lines(log: Path, last: int) -> list[bytes]:
    blocks: list[bytes] = []
    feeds = 0
    with log.open("rb") as file:
        start = file.seek(0, 2)
        # One line feed more than lines: the one that ends the line before them.
        while start > 0 and feeds <= last:
            start, end = max(0, start - _BLOCK_BYTES), start
            file.seek(start)
            blocks.append(file.read(end - start))
            feeds += blocks[-1].count(b"\n")
    # What follows the last line feed is an incomplete line, or empty.
    lines = b"".join(reversed(blocks)).split(b"\n")[:-1]
    return lines[-last:]


LOG_FILE_NAME: Final = "audit.jsonl"
_INGESTION: Final = f'"action":"{INGEST_ACTION}"'.encode()
_FLAGS: Final = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC


class FileAudit:
    """Implements `ports.AuditLog` as `audit.jsonl` and `audit.head` in `folder`, for any number of processes.

    `append` returns after the write call, so the line survives a crash of the process. The line is not synced to disk,
    which would cost each call milliseconds: a power cut may lose the last seconds of lines, and `verify` then reports
    missing lines.

    Each append opens the files anew, so the log can be moved away at any time. Move `audit.jsonl` and `audit.head`
    together; the next line begins a new chain.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._log = folder / LOG_FILE_NAME
        self._head = self._log.with_suffix(".head")
        with os_errors.translate_os_errors(folder):
            atomic_files.ensure_private_folder(folder)

    def append(self, record: Mapping[str, object]) -> None:
        """Append one line; a full disk gives up the reserve of the home for it.

        Raises:
            Unavailable: the line cannot be written; then nothing of it is in the log.
        """
        try:
            self._append(record)
        except OSError as error:
            if not disk_reserve.release(self._folder):
                raise os_errors.to_unavailable(error, self._folder) from error
            with os_errors.translate_os_errors(self._folder):
                self._append(record)

    def verify(self) -> "ChainVerification":
        """Verify the log, see `audit.verification.verify`."""
        # Imported lazily: a function that only appends does not need it.
        from groundwire.adapters.local.audit.verification import verify

        return verify(self._log)

    def read(self, last: int) -> Iterator[dict[str, object]]:
        """Yield the records of the last lines, oldest first, with `prev` and `hash`; skips unreadable ones."""
        with os_errors.translate_os_errors(self._folder):
            yield from last_records(self._log, last)

    def read_all(self) -> Iterator[dict[str, object]]:
        """Yield the records of all lines, oldest first; skips unreadable ones. One line at a time is in memory."""
        with os_errors.translate_os_errors(self._folder):
            yield from self._records(lambda _raw: True)

    def read_ingestions(self) -> Iterator[dict[str, object]]:
        """Yield the records of ingestions, oldest first; skips unreadable ones."""
        with os_errors.translate_os_errors(self._folder):
            # Lines of calls, by far the most, are not parsed.
            yield from self._records(lambda raw: _INGESTION in raw)

    def _records(self, is_wanted: Callable[[bytes], bool]) -> Iterator[dict[str, object]]:
        if not self._log.exists():
            return
        with self._log.open("rb") as file:
            records = (parse_record(raw) for raw in file if is_wanted(raw))
            yield from (record for record in records if record is not None)

    def _append(self, record: Mapping[str, object]) -> None:
        with self._locked() as files:
            files.append(record, self._chain_head(files))

    @contextmanager
    def _locked(self) -> Generator["_Files"]:
        head = os.open(self._head, _FLAGS, 0o600)
        try:
            # This open file's own lock excludes threads and forked children as well as other processes.
            fcntl.flock(head, fcntl.LOCK_EX)
            log = os.open(self._log, _FLAGS | os.O_APPEND, 0o600)
            try:
                yield _Files(log, head)
            finally:
                os.close(log)
        finally:
            os.close(head)

    def _chain_head(self, files: "_Files") -> ChainHead:
        known = read_head(files.head)
        if known is not None and known.size_bytes == os.fstat(files.log).st_size:
            return known
        head, finding = recovery.recover(files.log, known, self._log.with_suffix(".torn"))
        return head if finding is None else files.append(finding, head)


class _Files(NamedTuple):
    """Descriptors of log and head, locked."""

    log: int
    head: int

    def append(self, record: Mapping[str, object], end: ChainHead) -> ChainHead:
        """Write the line and return the new head; when the disk takes only a part, raise and restore the log."""
        line = make_line(record, end.hash)
        try:
            _write(self.log, line.raw)
            head = ChainHead(end.line_count + 1, end.size_bytes + len(line.raw), line.hash)
            write_head(self.head, head)
        except OSError:
            with suppress(OSError):
                os.ftruncate(self.log, end.size_bytes)
            raise
        return head


def _write(descriptor: int, raw: bytes) -> None:
    written = 0
    while written < len(raw):
        written += os.write(descriptor, raw[written:])
