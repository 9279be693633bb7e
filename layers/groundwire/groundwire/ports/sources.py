"""Files that owners put where ingestion finds them, and what the news of them is waited with."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class SourceObject:
    """A file as it stands now.

    Attributes:
        path: below the tenant's own prefix: `<collection>/<path>`. version: names this content of it.
        metadata: what was said of it when it was put there, by lower-case name.
    """

    path: str
    version: str
    size: int
    metadata: Mapping[str, str]


class SourceObjects(Protocol):
    """The files of each tenant; what was put before is seen by every call after it."""

    def find(self, tenant: str, path: str) -> SourceObject | None:
        """The file as it stands now; None where there is none."""
        ...

    def read(self, tenant: str, path: str, version: str) -> bytes:
        """The content of this version; Raises NotFound when it is gone."""
        ...

    def beneath(self, tenant: str, folder: str, after: str, limit: int) -> Sequence[str]:
        """The first `limit` paths that begin with `folder` and come behind the path `after`, in a fixed order."""
        ...

    def delete(self, tenant: str, path: str, version: str) -> None:
        """The version is gone for good; no error when it was before."""
        ...
