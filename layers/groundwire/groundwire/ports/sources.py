"""Files that owners put where ingestion finds them, those that speak of others, and the work that they make."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from groundwire.domain.access import Policy
from groundwire.domain.metadata import Said


@dataclass(frozen=True, slots=True)
class SourceObject:
    """A file as it stands now.

    Attributes:
        path: below the tenant's own prefix: `<collection>/<path>`. version: names this content of it.
        metadata: what was said of it when it was put there, by lower-case name.
        put_at: when that was, epoch seconds: not later than it really was, and perhaps of whole seconds.
    """

    path: str
    version: str
    size: int
    metadata: Mapping[str, str]
    put_at: float


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

    def beside(self, tenant: str, beginning: str, limit: int) -> Sequence[str]:
        """The first `limit` paths that begin so and have no slash behind that, in a fixed order."""
        ...

    def delete(self, tenant: str, path: str, version: str) -> None:
        """The version is gone for good; no error when it was before."""
        ...


class SideTexts(Protocol):
    """What the text of a file that speaks of others says; `where` names the file in messages."""

    def policy(self, text: str, where: str) -> Policy:
        """Of a policy file; Raises Invalid."""
        ...

    def metadata(self, text: str, where: str) -> Said:
        """Of a metadata file; Raises Invalid."""
        ...


class WorkQueue(Protocol):
    """Messages that this deployment sends to itself."""

    def send(self, messages: Sequence[str], delay_s: int) -> None:
        """Each comes at least once, after so many seconds or later; Raises Unavailable when not all are sure to."""
        ...
