"""MCP source actions, with the objects of `/edgeai/knowledgesources`."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from groundwire.domain.access.policy import Principal
from groundwire.domain.access.scopes import Scope
from groundwire.domain.error_codes import members_text
from groundwire.domain.errors import InvalidInput, NotFound
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import ALL_COLLECTIONS, KeyKind
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.entry.operator.action_result import ActionResult
from groundwire.services.call_context import CallContext

if TYPE_CHECKING:
    from pydantic import BaseModel

    from groundwire.domain.sources.source import McpSource
    from groundwire.entry.serialization.object_reader import ObjectReader
    from groundwire.wiring.services import ApiServices

    BodyT = TypeVar("BodyT", bound=BaseModel)

RowT = TypeVar("RowT", bound=Mapping[str, object])


def operator_call(tenant: str) -> CallContext:
    """Return the context of the operator's own call, which administers the tenant without a key."""
    return CallContext(
        Caller(
            principal=Principal(tenant, None, frozenset()),
            kid="command-line",
            kind=KeyKind.ACT_AS,
            scopes=frozenset({Scope.ADMIN}),
            collections=ALL_COLLECTIONS,
            options=USUAL_OPTIONS,
        )
    )


def find_source(rows: Iterable[RowT], name_or_id: str) -> RowT:
    """Return the source of this id or name.

    Raises:
        NotFound: there is none.
    """
    for row in rows:
        if name_or_id in (row["id"], row["name"]):
            return row
    raise NotFound(f"There is no source {name_or_id!r}.", "source")


def list_all(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Return the sources, the oldest first."""
    call = operator_call(fields.text("tenant"))
    fields.reject_unread()
    return _result(call, {"sources": _rows(services, call)})


def inspect(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Return the source of a name or id with the tools that its server declares now."""
    call, name_or_id = operator_call(fields.text("tenant")), fields.text_or_empty("source")
    fields.reject_unread()
    source_id = str(find_source(_rows(services, call), name_or_id)["id"])
    source = services.sources.admin.find(call, source_id)
    if services.sources.inspection.can_inspect(source):
        services.sources.inspection.check(call, source)
    return _result(call, _row(services, call, source))


def create(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Validate and store a source; `body` is that of `POST`."""
    from groundwire.dialects.foundry.sources.models import NewKnowledgeSource
    from groundwire.dialects.foundry.sources.specs import new_spec

    call, body = operator_call(fields.text("tenant")), fields.value("body")
    fields.reject_unread()
    created = services.sources.admin.create(call, new_spec(_parse(NewKnowledgeSource, body)))
    return _changed(services, call, created)


def change(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Validate and store a change of a source; `body` is that of `PATCH`."""
    from groundwire.dialects.foundry.sources.models import KnowledgeSourceChange
    from groundwire.dialects.foundry.sources.specs import changed_spec

    call, source_id = operator_call(fields.text("tenant")), fields.text_or_empty("source")
    wanted = _parse(KnowledgeSourceChange, fields.value("body"))
    fields.reject_unread()
    changed = services.sources.admin.change(call, source_id, lambda stored: changed_spec(wanted, stored))
    return _changed(services, call, changed)


def delete(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Delete a source."""
    call, source_id = operator_call(fields.text("tenant")), fields.text_or_empty("source")
    fields.reject_unread()
    services.sources.admin.delete(call, source_id)
    return _result(call, {})


def _result(call: CallContext, members: Mapping[str, object]) -> ActionResult:
    return ActionResult(members, {"tenant": call.caller.principal.tenant, **call.audit_fields})


def _changed(services: "ApiServices", call: CallContext, source: "McpSource") -> ActionResult:
    # The row needs another read, which may fail, so that the audit line comes first.
    return replace(_result(call, {}), read_after_audit=lambda: _row(services, call, source))


def _rows(services: "ApiServices", call: CallContext) -> list[dict[str, object]]:
    return [_row(services, call, source) for source in services.sources.admin.list_all(call)]


def _row(services: "ApiServices", call: CallContext, source: "McpSource") -> dict[str, object]:
    from groundwire.dialects.foundry.sources.view import source_members

    return source_members(source, services.sources.admin.listing(call, source))


def _parse(model: "type[BodyT]", body: object) -> "BodyT":
    """Return the body of a request.

    Raises:
        InvalidInput: it is not valid; the message names the members.
    """
    from pydantic import ValidationError

    try:
        return model.model_validate(body)
    except ValidationError as error:
        # The input may be the secret of a source.
        details = error.errors(include_url=False, include_input=False)
        raise InvalidInput(members_text((each["loc"], each["msg"]) for each in details)) from error
