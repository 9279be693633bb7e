"""Operations of commands on a tenant's MCP sources, which are the objects of `/edgeai/knowledgesources`."""

from collections.abc import Mapping

from groundwire.entry.cli.console import Row
from groundwire.entry.cli.target.action_client import ActionClient, rows_of
from groundwire.entry.operator.sources import find_source


class SourceOperations:
    """A tenant's MCP sources; each method raises Forbidden where the command's own key may not do it."""

    def __init__(self, client: ActionClient) -> None:
        self._client = client

    def all(self) -> list[Row]:
        """Return the sources, the oldest first.

        Raises:
            NotFound: the service has no routes of sources.
        """
        return rows_of(self._client.execute("source.list"), "sources")

    def find(self, name_or_id: str) -> Row:
        """Return a source.

        Raises:
            NotFound: there is no such source.
        """
        return find_source(self.all(), name_or_id)

    def inspect(self, name_or_id: str) -> Row:
        """Return a source with the tools that its server declares now; remotely, those that it declared last.

        Raises:
            NotFound: there is no such source.
            InvalidInput: its server cannot be used.
        """
        return self._client.execute("source.inspect", source=name_or_id)

    def create(self, body: Mapping[str, object]) -> Row:
        """Validate and store a source.

        Args:
            body: as of `POST`.

        Raises:
            InvalidInput: the body is not valid, or the server cannot be used.
            Conflict: another source has the name, or there are too many.
        """
        return self._client.execute("source.create", body=body)

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
        return self._client.execute("source.change", source=source_id, body=body)

    def delete(self, source_id: str) -> None:
        """Delete a source.

        Raises:
            NotFound: there is no such source.
        """
        self._client.execute("source.delete", source=source_id)
