"""MCP sources of a tenant on this machine."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeVar

from groundwire import wiring
from groundwire.domain.access.policy import Principal
from groundwire.domain.access.scopes import Scope
from groundwire.domain.error_codes import members_text
from groundwire.domain.errors import InvalidInput
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import ALL_COLLECTIONS, KeyKind
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.entry.cli.console import Row
from groundwire.entry.cli.target.source_ports import find_source
from groundwire.services.call_context import CallContext

if TYPE_CHECKING:
    from pydantic import BaseModel

    from groundwire.domain.audit.facts import AuditFacts
    from groundwire.domain.sources.source import McpSource

    BodyT = TypeVar("BodyT", bound=BaseModel)


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


class LocalSources:
    """A tenant's MCP sources on this machine; implements `SourceOperations`."""

    def __init__(self, tenant: str) -> None:
        self._tenant = tenant

    def all(self) -> list[Row]:
        """Return the sources, the oldest first."""
        call = operator_call(self._tenant)
        return [self._row(call, source) for source in wiring.local_services().sources.admin.list_all(call)]

    def find(self, name_or_id: str) -> Row:
        """Return a source.

        Raises:
            NotFound: there is no such source.
        """
        return find_source(self.all(), name_or_id)

    def inspect(self, name_or_id: str) -> Row:
        """Return a source with the tools that its server declares now.

        Raises:
            NotFound: there is no such source.
            InvalidInput: its server cannot be used.
        """
        services, call = wiring.local_services(), operator_call(self._tenant)
        source = services.sources.admin.find(call, str(self.find(name_or_id)["id"]))
        if services.sources.inspection.can_inspect(source):
            services.sources.inspection.check(call, source)
        return self._row(call, source)

    def create(self, body: Mapping[str, object]) -> Row:
        """Validate and store a source.

        Raises:
            InvalidInput: the body is not valid, or the server cannot be used.
            Conflict: another source has the name, or there are too many.
        """
        from groundwire.dialects.foundry.sources.models import NewKnowledgeSource
        from groundwire.dialects.foundry.sources.specs import new_spec

        call = operator_call(self._tenant)
        created = wiring.local_services().sources.admin.create(call, new_spec(_parse(NewKnowledgeSource, body)))
        self._audit("source.create", call)
        return self._row(call, created)

    def change(self, source_id: str, body: Mapping[str, object]) -> Row:
        """Validate and store a change of a source.

        Raises:
            NotFound: there is no such source.
            InvalidInput: the body is not valid, or the server cannot be used.
            Conflict: a tool is not as accepted, or somebody else changed the source.
        """
        from groundwire.dialects.foundry.sources.models import KnowledgeSourceChange
        from groundwire.dialects.foundry.sources.specs import changed_spec

        call, change = operator_call(self._tenant), _parse(KnowledgeSourceChange, body)
        changed = wiring.local_services().sources.admin.change(
            call, source_id, lambda stored: changed_spec(change, stored)
        )
        self._audit("source.change", call)
        return self._row(call, changed)

    def delete(self, source_id: str) -> None:
        """Delete a source.

        Raises:
            NotFound: there is no such source.
        """
        call = operator_call(self._tenant)
        wiring.local_services().sources.admin.delete(call, source_id)
        self._audit("source.delete", call)

    def _row(self, call: CallContext, source: "McpSource") -> Row:
        from groundwire.dialects.foundry.sources.view import source_members

        return source_members(source, wiring.local_services().sources.admin.listing(call, source))

    def _audit(self, action: str, call: CallContext) -> None:
        facts: AuditFacts = {"tenant": self._tenant, **call.audit_fields}
        wiring.local_services().administration.audit_operator_action(action, **facts)


def _parse(model: "type[BodyT]", body: Mapping[str, object]) -> "BodyT":
    """Return the body of a request.

    Raises:
        InvalidInput: it is none; the message names the members.
    """
    from pydantic import ValidationError

    try:
        return model.model_validate(body)
    except ValidationError as error:
        details = error.errors(include_url=False, include_input=False)
        raise InvalidInput(members_text((each["loc"], each["msg"]) for each in details)) from error
