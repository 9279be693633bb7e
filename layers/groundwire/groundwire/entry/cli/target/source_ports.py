"""Port of the command line's targets: administration of MCP sources, as the objects of `/edgeai/knowledgesources`."""

from collections.abc import Iterable, Mapping
from typing import Protocol

from groundwire.domain.errors import NotFound
from groundwire.entry.cli.console import Row


class SourceOperations(Protocol):
    """A tenant's MCP sources."""

    def all(self) -> list[Row]:
        """Return the sources, the oldest first."""
        ...

    def find(self, name_or_id: str) -> Row:
        """Return a source.

        Raises:
            NotFound: there is no such source.
        """
        ...

    def inspect(self, name_or_id: str) -> Row:
        """Return a source with the tools that its server declares now; remotely, those that it declared last.

        Raises:
            NotFound: there is no such source.
            InvalidInput: its server cannot be used.
        """
        ...

    def create(self, body: Mapping[str, object]) -> Row:
        """Validate and store a source.

        Args:
            body: as of `POST`.

        Raises:
            InvalidInput: the body is not valid, or the server cannot be used.
            Conflict: another source has the name, or there are too many.
        """
        ...

    def change(self, source_id: str, body: Mapping[str, object]) -> Row:
        """Validate and store a change of a source.

        Args:
            source_id: id of the source.
            body: as of `PATCH`.

        Raises:
            NotFound: there is no such source.
            InvalidInput: the body is not valid, or the server cannot be used.
            Conflict: a tool is not as accepted, or somebody else changed the source.
        """
        ...

    def delete(self, source_id: str) -> None:
        """Delete a source.

        Raises:
            NotFound: there is no such source.
        """
        ...


def find_source(rows: Iterable[Row], name_or_id: str) -> Row:
    """Return the source of this id or name.

    Raises:
        NotFound: there is none.
    """
    for row in rows:
        if name_or_id in (row["id"], row["name"]):
            return row
    raise NotFound(f"There is no source {name_or_id!r}.", "source")
