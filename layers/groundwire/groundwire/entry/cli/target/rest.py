"""Target: a service by its REST API, within the tenant of the key."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal, cast
from urllib.parse import quote

from groundwire.domain.access.policy import Policy
from groundwire.domain.access.policy_input import policy_to_mapping
from groundwire.domain.errors import InvalidInput, NotFound
from groundwire.entry.cli.console import Row
from groundwire.entry.cli.target.ports import TenantOperations
from groundwire.entry.cli.target.rest_api import RestApi
from groundwire.entry.cli.target.rest_sources import RestSources
from groundwire.entry.serialization.key_spec import key_spec_to_json
from groundwire.services.collections.admin import check_collection_name
from groundwire.services.keys.admin import KeySpec


def _rows(response: Mapping[str, object], name: str) -> list[Row]:
    return [*cast("Sequence[Row]", response[name])]


def _path(*parts: str) -> str:
    """Return the path of these names, each escaped so that it stays one segment."""
    return "/v1/" + "/".join(quote(part, safe="") for part in parts)


class RestKeys:
    """A tenant's keys in a service; implements `KeyOperations`."""

    def __init__(self, rest: RestApi) -> None:
        self._rest = rest

    def create(self, spec: KeySpec) -> Row:
        """Create a key.

        Raises:
            InvalidInput: the specification is invalid.
            Conflict: the tenant has a key for people who sign in already.
            Forbidden: the present key may not do it.
        """
        return _without_null_key(self._rest.post(_path("keys"), key_spec_to_json(spec)))

    def all(self) -> list[Row]:
        """Return the keys ordered by creation time."""
        return _rows(self._rest.get(_path("keys")), "keys")

    def policy_tags(self) -> Row:
        """Return the tags that policies use.

        Raises:
            NotFound, InvalidInput: the service is of a release without this route.
            Forbidden: the present key may not do it.
        """
        return self._rest.get(_path("keys", "policy-tags"))

    def rotate(self, kid: str, overlap_hours: int) -> Row:
        """Give a key a new secret; the old one works for `overlap_hours`.

        Raises:
            NotFound: there is no such key.
            Conflict: it is revoked or has expired.
            InvalidInput: it has no secret, or the overlap is out of range.
            Forbidden: the present key may not do it.
        """
        return _without_null_key(self._rest.post(_path("keys", kid, "rotate"), {"overlap_hours": overlap_hours}))

    def revoke(self, kid: str) -> Row:
        """Revoke a key.

        Raises:
            NotFound: there is no such key.
            Forbidden: the present key may not do it.
        """
        return self._rest.delete(_path("keys", kid))


class RestUsers:
    """A tenant's user entries in a service; implements `UserOperations`."""

    def __init__(self, rest: RestApi) -> None:
        self._rest = rest

    def set(self, user: str, tags: frozenset[str]) -> None:
        """Replace the user's tags."""
        self._rest.put(_path("users", user), {"tags": sorted(tags)})

    def all(self) -> list[Row]:
        """Return the entries ordered by user."""
        return _rows(self._rest.get(_path("users")), "users")

    def delete(self, user: str) -> None:
        """Delete the user's entry.

        Raises:
            NotFound: the user has no entry.
        """
        self._rest.delete(_path("users", user))


class RestCollections:
    """A tenant's collections in a service; implements `CollectionOperations`."""

    def __init__(self, rest: RestApi) -> None:
        self._rest = rest

    def all(self) -> list[Row]:
        """Return the collections ordered by name."""
        return _rows(self._rest.get(_path("collections")), "collections")

    def find(self, name: str) -> Row:
        """Return a collection by name.

        Raises:
            NotFound: there is no such collection.
        """
        for row in self.all():
            if row["name"] == name:
                return row
        raise NotFound(f"There is no collection {name!r}.", "collection")

    def set(
        self, name: str, bm25_weight: float | None, language: str | None, floor: float | Literal["auto"] | None
    ) -> Row:
        """Create or change a collection; a setting of None is left unchanged.

        Raises:
            InvalidInput: the name or a setting is invalid.
            Forbidden: the present key may not do it.
        """
        # Otherwise a slash in the name would be reported as an unknown route.
        check_collection_name(name)
        settings = {"bm25_weight": bm25_weight, "language": language, "floor": floor}
        return self._rest.put(
            _path("collections", name), {field: value for field, value in settings.items() if value is not None}
        )

    def describe(self, name: str, description: str) -> Row:
        """Set what the collection holds, in its owner's words; an empty text clears it.

        Raises:
            NotFound: there is no such collection.
            InvalidInput: nothing of the text can be seen, or it is too long.
            Forbidden: the present key may not do it.
        """
        self.find(name)
        return self._rest.put(_path("collections", name), {"description": description})

    def propose_description(self, name: str) -> str | None:
        """Return a description made from public documents, which is not stored; None without such documents.

        Raises:
            NotFound: there is no such collection.
            Forbidden: the present key may not do it.
        """
        self.find(name)
        proposed = self._rest.get(_path("collections", name) + "/proposal")["description"]
        return None if proposed is None else str(proposed)

    def delete(self, name: str) -> int:
        """Delete a collection with its documents; return their number.

        Raises:
            NotFound: there is no such collection.
            Forbidden: the present key may not do it.
        """
        return int(str(self._rest.delete(_path("collections", name))["documents"]))


class RestDocuments:
    """A tenant's documents in a service; implements `DocumentOperations`."""

    def __init__(self, rest: RestApi) -> None:
        self._rest = rest

    def all(self, collection: str | None) -> list[Row]:
        """Return the documents of one collection or of all, ordered by id, read page by page."""
        return [*self._pages(collection)]

    def show(self, doc_id: str, max_passages: int | None) -> Row:
        """Return a document with its first passages, or all for None.

        Raises:
            NotFound: there is no such document.
        """
        path = _path("documents", doc_id)
        limit = None if max_passages is None else str(max_passages)
        record = self._rest.get(path, segments="true", max_passages=limit)
        passages = [*cast("Sequence[Row]", record["passages"])]
        page = record
        # A service of an earlier release gives 200 passages or all at once, and perhaps no number.
        while (start := page.get("next_passage")) is not None and max_passages is None:
            page = self._rest.get(path, segments="true", from_passage=str(start))
            passages += cast("Sequence[Row]", page["passages"])
        members = {name: value for name, value in record.items() if name != "next_passage"}
        return {**members, "passages": passages[:max_passages]}

    def set_policy(self, doc_id: str, policy: Policy) -> Row:
        """Override the document's policy.

        Raises:
            NotFound: there is no such document.
            InvalidInput: it is an attachment, or the policy is invalid.
            Forbidden: the present key may not do it.
        """
        return self._rest.put(_path("documents", doc_id, "policy"), policy_to_mapping(policy))

    def delete(self, doc_id: str) -> Row:
        """Delete a document.

        Raises:
            NotFound: there is no such document.
            InvalidInput: it is an attachment.
            Forbidden: the present key may not do it.
        """
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
    """The tenant of the key; implements `TenantTarget`."""

    def __init__(self, rest: RestApi) -> None:
        self.title = rest.url
        self.keys = RestKeys(rest)
        self.users = RestUsers(rest)
        self.collections = RestCollections(rest)
        self.documents = RestDocuments(rest)
        self.sources = RestSources(rest)


class RestTarget:
    """Target in a service; implements `Target`."""

    supported_commands = frozenset({"key", "user", "collection", "documents", "ingest", "search", "source"})
    requires_tenant = False
    usage_hints = ()

    def __init__(self, rest: RestApi) -> None:
        self.api: Final = rest

    @property
    def description(self) -> str:
        """A sentence that names the service's address."""
        return f"The service is {self.api.url}."

    @property
    def tenants(self) -> TenantOperations:
        """An unsupported part: an API key cannot administer tenants.

        Raises:
            InvalidInput: always.
        """
        raise InvalidInput(
            "Only the operator manages tenants: use groundwire --stack NAME, or run the command on the server."
        )

    def tenant(self, name_or_id: str) -> RestTenant:
        """Return the key's own tenant.

        Raises:
            InvalidInput: a tenant is named.
        """
        if name_or_id:
            raise InvalidInput("With --url, the key names the tenant: leave --tenant out.")
        return RestTenant(self.api)


def _without_null_key(row: Row) -> Row:
    """Return the row without a `key` of None, like the rows of the local target."""
    return {name: value for name, value in row.items() if name != "key" or value is not None}
