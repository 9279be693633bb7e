"""MCP sources of a tenant in a service."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeVar, cast
from urllib.parse import quote

from groundwire.domain.errors import NotFound
from groundwire.domain.limits import MAX_SOURCES
from groundwire.entry.cli.console import Row
from groundwire.entry.cli.target.rest_api import RestApi
from groundwire.entry.cli.target.source_ports import find_source

_PATH: Final = "/edgeai/knowledgesources"

ResultT = TypeVar("ResultT")


class RestSources:
    """A tenant's MCP sources in a service; implements `SourceOperations`."""

    def __init__(self, rest: RestApi) -> None:
        self._rest = rest

    def all(self) -> list[Row]:
        """Return the sources, the oldest first.

        Raises:
            NotFound: the service has no such routes.
            Forbidden: the present key may not do it.
        """
        page = self._answer(lambda: self._rest.get(_PATH, limit=str(MAX_SOURCES)))
        return [*cast("Sequence[Row]", page["items"])]

    def find(self, name_or_id: str) -> Row:
        """Return a source.

        Raises:
            NotFound: there is no such source.
        """
        return find_source(self.all(), name_or_id)

    def inspect(self, name_or_id: str) -> Row:
        """Return a source with the tools that its server declared last: no route calls it without a change.

        Raises:
            NotFound: there is no such source.
        """
        return self.find(name_or_id)

    def create(self, body: Mapping[str, object]) -> Row:
        """Validate and store a source.

        Raises:
            InvalidInput: the body is not valid, or the server cannot be used.
            Conflict: another source has the name, or there are too many.
            Forbidden: the present key may not do it.
        """
        return self._answer(lambda: self._rest.post(_PATH, body))

    def change(self, source_id: str, body: Mapping[str, object]) -> Row:
        """Validate and store a change of a source.

        Raises:
            NotFound: there is no such source.
            InvalidInput: the body is not valid, or the server cannot be used.
            Conflict: a tool is not as accepted, or somebody else changed the source.
        """
        return self._rest.patch(f"{_PATH}/{quote(source_id, safe='')}", body)

    def delete(self, source_id: str) -> None:
        """Delete a source.

        Raises:
            NotFound: there is no such source.
        """
        self._rest.delete(f"{_PATH}/{quote(source_id, safe='')}")

    def _answer(self, send: Callable[[], ResultT]) -> ResultT:
        """Return the answer to a call of the routes, neither of which names a source.

        Raises:
            NotFound: the service has no such routes.
        """
        try:
            return send()
        except NotFound as error:
            raise NotFound(
                f"{self._rest.url} has no sources: its dialect `foundry` is switched off, or its release is too old."
            ) from error
