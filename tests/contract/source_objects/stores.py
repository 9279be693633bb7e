"""Source files of each backend, put and removed as their owner does it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from groundwire.adapters.aws.s3.bucket import Bucket
from groundwire.ports import SourceObjects
from tests.support.aws.buckets import NAME

TENANT = "t-acme"


class Store(Protocol):
    """Files of one tenant; names are relative to a folder that is empty at first."""

    @property
    def sources(self) -> SourceObjects: ...

    def path(self, name: str) -> str:
        """The path by which the port knows the file."""
        ...

    def put(self, name: str, content: bytes) -> None: ...

    def remove(self, name: str) -> None: ...


@dataclass(frozen=True)
class BucketStore:
    sources: SourceObjects
    bucket: Bucket

    def path(self, name: str) -> str:
        return name

    def put(self, name: str, content: bytes) -> None:
        self.bucket.client.put_object(Bucket=NAME, Key=f"tenants/{TENANT}/{name}", Body=content)

    def remove(self, name: str) -> None:
        self.bucket.client.delete_object(Bucket=NAME, Key=f"tenants/{TENANT}/{name}")


@dataclass(frozen=True)
class FolderStore:
    sources: SourceObjects
    folder: Path

    def path(self, name: str) -> str:
        return f"{self.folder}/{name}"

    def put(self, name: str, content: bytes) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        # Replaced as an editor does it: two writes within one tick of the clock are two versions.
        new = path.with_name(f"{path.name}.new")
        new.write_bytes(content)
        new.replace(path)

    def remove(self, name: str) -> None:
        (self.folder / name).unlink()
