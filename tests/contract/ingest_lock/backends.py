"""Where the lock can be; can be sent to another process and opened there."""

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from groundwire.adapters.aws.dynamodb.ingest_lease import DynamoIngestLease
from groundwire.adapters.local.ingest.lock import FileIngestLock
from groundwire.ports import IngestLock
from tests.support.engines import dynamodb


class Place(Protocol):
    def open(self) -> IngestLock: ...


@dataclass(frozen=True)
class FilePlace:
    folder: Path

    def open(self) -> IngestLock:
        return FileIngestLock(self.folder)


@dataclass(frozen=True)
class DynamoPlace:
    url: str
    table: str

    def open(self) -> IngestLock:
        return DynamoIngestLease(dynamodb.client(self.url), self.table)


@dataclass(frozen=True)
class Counter:
    """Number in a file, which is read and written back: two holders at once would miss a count."""

    place: Place
    file: Path

    def count(self) -> None:
        with self.place.open().hold("t-acme"):
            self.file.write_text(str(int(self.file.read_text()) + 1))


def count_ten(counter: Counter, number: int) -> int:
    for _ in range(10):
        counter.count()
    return number
