"""Target: a service by its REST API, within the tenant of the key."""

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import Final, NoReturn
from urllib.parse import quote, urlencode

from groundwire.domain.errors import Forbidden, InvalidInput, NotFound
from groundwire.domain.limits import MAX_SOURCES
from groundwire.entry.cli.console import Row
from groundwire.entry.cli.target.action_client import row_of, rows_of
from groundwire.entry.cli.target.operations import TenantTarget
from groundwire.entry.cli.target.rest_api import RestApi, api_path
from groundwire.entry.operator.sources import find_source
from groundwire.services.collections.admin import check_collection_name

_SOURCES: Final = "/edgeai/knowledgesources"


class RestActions:
    """Actions as requests to a service; implements `ActionClient`."""

    def __init__(self, rest: RestApi) -> None:
        self._rest = rest

    def execute(self, action: str, **fields: object) -> Row:
        """Return the service's response in the form of the action's result.

        Raises:
            DomainError: the error that the service returns.
        """
        return REQUESTS[action](self._rest, fields)


class RestTarget:
    """Target in a service; one of `Target`."""

    supported_commands = frozenset(
        {
            *("apply", "key", "user", "group", "tags", "access", "audit", "doctor"),
            *("collection", "documents", "evaluation", "ingest", "ingestion", "search", "source"),
        }
    )
    requires_tenant = False
    usage_hints = ()

    def __init__(self, rest: RestApi) -> None:
        self.api: Final = rest

    @property
    def description(self) -> str:
        """A sentence that names the service's address."""
        return f"The service is {self.api.url}."

    @property
    def tenants(self) -> NoReturn:
        """An unsupported part: an API key cannot administer tenants.

        Raises:
            InvalidInput: always.
        """
        raise InvalidInput(
            "Only the operator manages tenants: use groundwire --stack NAME, or run the command on the server."
        )

    def tenant(self, name_or_id: str) -> TenantTarget:
        """Return the key's own tenant.

        Raises:
            InvalidInput: a tenant is named.
        """
        if name_or_id:
            raise InvalidInput("With --url, the key names the tenant: leave --tenant out.")
        return TenantTarget(self.api.url, RestActions(self.api))


def _source_path(fields: Row) -> str:
    return f"{_SOURCES}/{quote(str(fields['source']), safe='')}"


def _query(value: object) -> str | None:
    return None if value is None else str(value)


def _tags(fields: Row) -> Row:
    return {"tags": fields["tags"], **_new_tags(fields)}


def _new_tags(fields: Row) -> Row:
    return {name: value for name, value in fields.items() if name == "new_tags"}


def _options(fields: Row) -> Row:
    return {name: value for name, value in fields.items() if name in {"new_tags", "until_next_run"}}


def _without(fields: Row, member: str) -> Row:
    return {name: value for name, value in fields.items() if name != member}


def _given(fields: Row) -> Row:
    return {name: value for name, value in fields.items() if value is not None}


def _issued_key(row: Row) -> Row:
    """Return the result with the key of a response, without a `key` of None, like that of the operator."""
    return {"key": {name: value for name, value in row.items() if name != "key" or value is not None}}


def _rotate_key(rest: RestApi, fields: Row) -> Row:
    return _issued_key(rest.post(api_path("keys", fields["kid"], "rotate"), {"overlap_hours": fields["overlap_hours"]}))


def _change_key(rest: RestApi, fields: Row) -> Row:
    return {"key": rest.patch(api_path("keys", fields["kid"]), _without(fields, "kid"))}


def _list_tags(rest: RestApi, _fields: Row) -> Row:
    try:
        return rest.get(api_path("tags"), last_calls="true")
    except Forbidden:
        # The key has bounds: it sees its tags, and not who called when.
        return rest.get(api_path("tags"))


def _compare_evaluations(rest: RestApi, fields: Row) -> Row:
    query = {name: _query(fields[name]) for name in ("earlier", "max_loss")}
    return rest.get(api_path("evaluations", fields["id"], "comparison"), **query)


def _find_collection(rest: RestApi, fields: Row) -> Row:
    for row in rows_of(rest.get(api_path("collections")), "collections"):
        if row["name"] == fields["name"]:
            return row
    raise NotFound(f"There is no collection {fields['name']!r}.", "collection")


def _set_collection(rest: RestApi, fields: Row) -> Row:
    # Otherwise a slash in the name would be reported as an unknown route.
    check_collection_name(str(fields["name"]))
    settings = {name: value for name, value in fields.items() if name != "name" and value is not None}
    return rest.put(api_path("collections", fields["name"]), settings)


def _describe_collection(rest: RestApi, fields: Row) -> Row:
    _find_collection(rest, fields)
    # After the look-up, because `PUT` creates a collection that does not exist.
    return rest.put(api_path("collections", fields["name"]), {"description": fields["description"]})


def _propose_description(rest: RestApi, fields: Row) -> Row:
    _find_collection(rest, fields)
    return rest.get(api_path("collections", fields["name"], "proposal"))


def _list_documents(rest: RestApi, fields: Row) -> Row:
    """Return the documents ordered by id, read page by page."""
    documents, after = list[Row](), None
    conditions = {name: "true" for name in ("ceilings", "policy_differs") if fields.get(name)}
    while True:
        page = rest.get(api_path("documents"), collection=_query(fields["collection"]), after=after, **conditions)
        documents += rows_of(page, "documents")
        after = _query(page.get("next"))
        if after is None:
            return {"documents": documents}


def _list_deleted(rest: RestApi, fields: Row) -> Row:
    """Return the deleted documents ordered by id, read page by page."""
    documents, after = list[Row](), None
    while True:
        page = rest.get(api_path("deletions"), after=after)
        documents += [each for each in rows_of(page, "documents") if fields["collection"] in {None, each["collection"]}]
        after = _query(page.get("next"))
        if after is None:
            return {"documents": documents}


def _with_reason(fields: Row, *names: object) -> str:
    """Return the path of these names with the person's reason; services of earlier releases know none."""
    return api_path(*names) + (f"?{urlencode({'reason': fields['reason']})}" if fields.get("reason") else "")


def _show_document(rest: RestApi, fields: Row) -> Row:
    path, limit = api_path("documents", fields["doc_id"]), _query(fields["max_passages"])
    page = record = rest.get(path, segments="true", max_passages=limit)
    passages = rows_of(record, "passages")
    # A service of an earlier release gives 200 passages or all at once, and perhaps no number.
    while (start := _query(page.get("next_passage"))) is not None and limit is None:
        page = rest.get(path, segments="true", from_passage=start)
        passages += rows_of(page, "passages")
    members = {name: value for name, value in record.items() if name != "next_passage"}
    return {**members, "passages": passages if limit is None else passages[: int(limit)]}


def _list_copies(rest: RestApi, fields: Row) -> Row:
    """Return the other documents with the same bytes among those that the key manages."""
    digest = rest.get(api_path("documents", fields["doc_id"]))["content_hash"]
    documents = rows_of(_list_documents(rest, {"collection": None}), "documents") if digest else []
    same = [row for row in documents if row["content_hash"] == digest and row["state"] == "indexed"]
    return {"documents": [row for row in same if row["doc_id"] != fields["doc_id"]]}


def _list_sources(rest: RestApi, _fields: Row) -> Row:
    with _source_routes(rest):
        return {"sources": rows_of(rest.get(_SOURCES, limit=str(MAX_SOURCES)), "items")}


def _inspect_source(rest: RestApi, fields: Row) -> Row:
    """Return a source with the tools that its server declared last: no route calls it without a change."""
    return find_source(rows_of(_list_sources(rest, fields), "sources"), str(fields["source"]))


def _create_source(rest: RestApi, fields: Row) -> Row:
    with _source_routes(rest):
        return rest.post(_SOURCES, row_of(fields, "body"))


@contextmanager
def _source_routes(rest: RestApi) -> Generator[None]:
    """Name the reason why a service does not find routes that name no source.

    Raises:
        NotFound: the service has no such routes.
    """
    try:
        yield
    except NotFound as error:
        raise NotFound(
            f"{rest.url} has no sources: its dialect `foundry` is switched off, or its release is too old."
        ) from error


REQUESTS: Final[Mapping[str, Callable[[RestApi, Row], Row]]] = {
    "key.create": lambda rest, fields: _issued_key(rest.post(api_path("keys"), fields)),
    "key.list": lambda rest, fields: rest.get(api_path("keys"), after=_query(fields.get("after"))),
    "key.policy_tags": lambda rest, _fields: rest.get(api_path("keys", "policy-tags")),
    "key.change": _change_key,
    "key.rotate": _rotate_key,
    "key.revoke": lambda rest, fields: {"key": rest.delete(api_path("keys", fields["kid"]))},
    "user.set": lambda rest, fields: rest.put(api_path("users", fields["user"]), _tags(fields)),
    "user.change": lambda rest, fields: rest.patch(api_path("users", fields["user"]), _without(fields, "user")),
    "user.list": lambda rest, fields: rest.get(api_path("users"), after=_query(fields.get("after"))),
    "user.delete": lambda rest, fields: rest.delete(api_path("users", fields["user"])),
    "user.seen": lambda rest, fields: rest.get(
        api_path("audit", "callers"), since=str(fields["since"]), after=_query(fields["after"])
    ),
    "user.blocked": lambda rest, fields: rest.get(api_path("users", "blocked"), after=_query(fields.get("after"))),
    "user.block": lambda rest, fields: rest.post(api_path("users", "block"), fields),
    "user.unblock": lambda rest, fields: rest.post(api_path("users", "unblock"), fields),
    "user.offboard": lambda rest, fields: {"receipt": rest.post(api_path("users", "offboard"), fields)},
    "tags.list": _list_tags,
    "tags.plan_rename": lambda rest, fields: rest.post(api_path("tags", "rename"), {**fields, "plan": True}),
    "tags.rename": lambda rest, fields: rest.post(api_path("tags", "rename"), fields),
    "tags.check": lambda rest, fields: rest.post(api_path("tags", "check"), fields),
    "access.check": lambda rest, fields: rest.post(api_path("access", "check"), _given(fields)),
    "access.readers": lambda rest, fields: rest.post(api_path("access", "readers"), _given(fields)),
    "access.documents": lambda rest, fields: rest.post(api_path("access", "documents"), _given(fields)),
    "access.why-not": lambda rest, fields: rest.post(api_path("access", "why-not"), _given(fields)),
    "access.what-if": lambda rest, fields: rest.post(api_path("access", "what-if"), _given(fields)),
    "group.set": lambda rest, fields: rest.put(api_path("groups", fields["group"]), _tags(fields)),
    "group.list": lambda rest, _fields: rest.get(api_path("groups")),
    "group.delete": lambda rest, fields: rest.delete(api_path("groups", fields["group"])),
    "key.explain_token": lambda rest, fields: rest.post(api_path("groups", "explain-token"), fields),
    "collection.list": lambda rest, _fields: rest.get(api_path("collections")),
    "collection.show": _find_collection,
    "collection.set": _set_collection,
    "collection.describe": _describe_collection,
    "collection.propose": _propose_description,
    "collection.delete": lambda rest, fields: rest.delete(_with_reason(fields, "collections", fields["name"])),
    "ingestion.list": lambda rest, _fields: rest.get(api_path("ingestions")),
    "ingestion.show": lambda rest, fields: rest.get(api_path("ingestions", fields["id"])),
    "ingestion.cancel": lambda rest, fields: rest.post(api_path("ingestions", fields["id"], "cancel"), {}),
    "evaluation.list": lambda rest, _fields: rest.get(api_path("evaluations")),
    "evaluation.show": lambda rest, fields: rest.get(api_path("evaluations", fields["id"])),
    "evaluation.compare": _compare_evaluations,
    "evaluation.delete": lambda rest, fields: rest.delete(api_path("evaluations", fields["id"])),
    "documents.list": _list_documents,
    "documents.show": _show_document,
    "documents.copies": _list_copies,
    "documents.set-policy": lambda rest, fields: rest.put(
        _with_reason(fields, "documents", fields["doc_id"], "policy"), {**row_of(fields, "policy"), **_options(fields)}
    ),
    "documents.close": lambda rest, fields: rest.post(_with_reason(fields, "documents", fields["doc_id"], "close"), {}),
    "documents.lift": lambda rest, fields: rest.post(_with_reason(fields, "documents", fields["doc_id"], "lift"), {}),
    "documents.delete": lambda rest, fields: rest.delete(_with_reason(fields, "documents", fields["doc_id"])),
    "documents.list-deleted": _list_deleted,
    "documents.restore": lambda rest, fields: rest.post(
        _with_reason(fields, "deletions", fields["doc_id"], "restore"), {}
    ),
    "documents.forget": lambda rest, fields: rest.delete(_with_reason(fields, "deletions", fields["doc_id"])),
    "source.list": _list_sources,
    "source.inspect": _inspect_source,
    "source.create": _create_source,
    "source.change": lambda rest, fields: rest.patch(_source_path(fields), row_of(fields, "body")),
    "source.delete": lambda rest, fields: rest.delete(_source_path(fields)),
}
"""Requests by the names of the actions whose results they return."""
