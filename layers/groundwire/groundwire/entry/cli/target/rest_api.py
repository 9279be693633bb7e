"""Port of the client of a service's REST API, and the paths of its routes."""

from collections.abc import Mapping
from typing import Protocol
from urllib.parse import quote


class RestApi(Protocol):
    """Client of `/v1` of one server; every method raises the `DomainError` that the server returns."""

    @property
    def url(self) -> str:
        """The service's address."""
        ...

    def get(self, path: str, **query: str | None) -> Mapping[str, object]:
        """Return the object at `path`; query parameters of None are left out."""
        ...

    def post(
        self, path: str, body: Mapping[str, object], headers: Mapping[str, str] | None = None
    ) -> Mapping[str, object]:
        """Return the service's response to `body`."""
        ...

    def put(self, path: str, body: Mapping[str, object]) -> Mapping[str, object]:
        """Return the stored object."""
        ...

    def patch(self, path: str, body: Mapping[str, object]) -> Mapping[str, object]:
        """Return the changed object."""
        ...

    def delete(self, path: str) -> Mapping[str, object]:
        """Return the description of the deleted object."""
        ...


def api_path(*names: object) -> str:
    """Return the path of these names, each escaped so that it stays one segment."""
    return "/v1/" + "/".join(quote(str(name), safe="") for name in names)
