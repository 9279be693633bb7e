"""A service by its REST API, within the tenant of the key."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Protocol, cast
from urllib.parse import quote

from groundwire.domain.access.policy import Policy
from groundwire.domain.errors import InvalidInput, NotFound
from groundwire.entry.cli.console import Row
from groundwire.entry.cli.target.ports import TenantOperations
from groundwire.entry.serialization.entities import policy_to_json
from groundwire.entry.serialization.key_spec import key_spec_to_json
from groundwire.services.collections import check_collection_name
from groundwire.services.keys.admin import KeySpec


class RestApi(Protocol):
    """The routes of one service; every method raises the Problem that the service tells."""

    @property
    def url(self) -> str:
        """Where it is."""
        ...

    def get(self, path: str, **query: str | None) -> Mapping[str, object]:
        """The object at `path`; a query of None is left out."""
        ...

    def post(
        self, path: str, body: Mapping[str, object], headers: Mapping[str, str] | None = None
    ) -> Mapping[str, object]:
        """What the service made of `body`."""
        ...

    def put(self, path: str, body: Mapping[str, object]) -> Mapping[str, object]:
        """What is there now."""
        ...

    def delete(self, path: str) -> Mapping[str, object]:
        """What is gone."""
        ...


def _rows(answer: Mapping[str, object], name: str) -> list[Row]:
    return [*cast("Sequence[Row]", answer[name])]


def _path(*parts: str) -> str:
    """The path of these names, of which none can lead elsewhere."""
    return "/v1/" + "/".join(quote(part, safe="") for part in parts)


class RestKeys:
    """Implements `Keys`."""

    def __init__(self, rest: RestApi) -> None:
        self._rest = rest

    def create(self, spec: KeySpec) -> Row:
        """Raises Invalid, Conflict, Denied."""
        return _without_null_key(self._rest.post(_path("keys"), key_spec_to_json(spec)))

    def all(self) -> list[Row]:
        """By creation time."""
        return _rows(self._rest.get(_path("keys")), "keys")

    def rotate(self, kid: str, overlap_hours: int) -> Row:
        """Raises NotFound, Conflict, Invalid, Denied."""
        return _without_null_key(self._rest.post(_path("keys", kid, "rotate"), {"overlap_hours": overlap_hours}))

    def revoke(self, kid: str) -> Row:
        """Raises NotFound, Denied."""
        return self._rest.delete(_path("keys", kid))


class RestUsers:
    """Implements `Users`."""

    def __init__(self, rest: RestApi) -> None:
        self._rest = rest

    def set(self, user: str, tags: frozenset[str]) -> None:
        """The user's entry is exactly these tags."""
        self._rest.put(_path("users", user), {"tags": sorted(tags)})

    def all(self) -> list[Row]:
        """By user."""
        return _rows(self._rest.get(_path("users")), "users")

    def delete(self, user: str) -> None:
        """Raises NotFound."""
        self._rest.delete(_path("users", user))


class RestCollections:
    """Implements `Collections`."""

    def __init__(self, rest: RestApi) -> None:
        self._rest = rest

    def all(self) -> list[Row]:
        """By name."""
        return _rows(self._rest.get(_path("collections")), "collections")

    def find(self, name: str) -> Row:
        """Raises NotFound."""
        for row in self.all():
            if row["name"] == name:
                return row
        raise NotFound(f"There is no collection {name!r}.", "collection")

    def set(self, name: str, bm25_weight: float | None, language: str | None) -> Row:
        """Raises Invalid, Denied."""
        # Else a slash in it would be told as a route that is not there.
        check_collection_name(name)
        said = {"bm25_weight": bm25_weight, "language": language}
        return self._rest.put(
            _path("collections", name), {field: value for field, value in said.items() if value is not None}
        )

    def delete(self, name: str) -> int:
        """Raises NotFound, Denied."""
        return int(str(self._rest.delete(_path("collections", name))["documents"]))


class RestDocuments:
    """Implements `Documents`."""

    def __init__(self, rest: RestApi) -> None:
        self._rest = rest

    def all(self, collection: str | None) -> list[Row]:
        """By id, page by page."""
        return [*self._pages(collection)]

    def show(self, doc_id: str, *, segments: bool) -> Row:
        """Raises NotFound."""
        return self._rest.get(_path("documents", doc_id), segments="true" if segments else None)

    def set_policy(self, doc_id: str, policy: Policy) -> Row:
        """Raises NotFound, Invalid, Denied."""
        return self._rest.put(_path("documents", doc_id, "policy"), policy_to_json(policy))

    def delete(self, doc_id: str) -> Row:
        """Raises NotFound, Invalid, Denied."""
        return self._rest.delete(_path("documents", doc_id))

    def _pages(self, collection: str | None) -> Iterator[Row]:
        after: str | None = None
        while True:
            page = self._rest.get(_path("documents"), collection=collection, after=after)
            yield from _rows(page, "documents")
            after = cast("str | None", page.get("next"))
            if after is None:
                return


class RestTenant:
    """Implements `TenantPlace`."""

    def __init__(self, rest: RestApi) -> None:
        self.title = rest.url
        self.keys = RestKeys(rest)
        self.users = RestUsers(rest)
        self.collections = RestCollections(rest)
        self.documents = RestDocuments(rest)


class RestTarget:
    """Implements `Place`."""

    supported_commands = frozenset({"key", "user", "collection", "documents", "ingest", "search"})
    requires_tenant = False
    usage_hints = ()

    def __init__(self, rest: RestApi) -> None:
        self.api: Final = rest

    @property
    def description(self) -> str:
        """The service's address."""
        return f"The service is {self.api.url}."

    @property
    def tenants(self) -> TenantOperations:
        """Raises Invalid: no API key reaches them."""
        raise InvalidInput("Tenants belong to the operator: groundwire --stack NAME, or on the server's own machine.")

    def tenant(self, name_or_id: str) -> RestTenant:
        """The key's own; Raises Invalid where one is named."""
        if name_or_id:
            raise InvalidInput("With --url the tenant is that of the key: leave --tenant out.")
        return RestTenant(self.api)


def _without_null_key(row: Row) -> Row:
    """A key without a text has no such field, as on the machine itself."""
    return {name: value for name, value in row.items() if name != "key" or value is not None}
