"""Registered tools of a tenant, stored as one definition, so that a change is whole or is not made."""

from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from groundwire.dialects.opensearch.errors import OpenSearchError, illegal_argument
from groundwire.domain.errors import NotFound, PreconditionFailed
from groundwire.domain.limits import MAX_REGISTERED_TOOLS
from groundwire.ports.definitions import DefinitionKind, Presence
from groundwire.retry import RetryPolicy, retry_on

if TYPE_CHECKING:
    from groundwire.dialects.declaration.services import DialectServices
    from groundwire.services.call_context import CallContext
    from groundwire.services.definitions.body import JsonBody

_NAME: Final = "tools"
_TOOLS: Final = "tools"
_RETRY: Final = RetryPolicy(attempts=8)
"""Attempts of a change while other administrators change the same tools."""


class Registration(NamedTuple):
    """A registered tool.

    Attributes:
        description, parameters, attributes: None: not given.
        created_ms: time of registration in milliseconds. updated_ms: of the last change; None: there was none.
    """

    type: str
    name: str
    description: str | None
    parameters: Mapping[str, Any] | None
    attributes: Mapping[str, Any] | None
    created_ms: int
    updated_ms: int | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the members that are given, as `_list` has them; the same form is stored."""
        members = {
            "type": self.type,
            "name": self.name,
            "description": self.description,
            "parameters": self.parameters,
            "attributes": self.attributes,
            "create_time": self.created_ms,
            "last_update_time": self.updated_ms,
        }
        return {name: value for name, value in members.items() if value is not None}


class Registrations:
    """Registered tools of the caller's tenant, in the order in which they are listed."""

    def __init__(self, services: "DialectServices") -> None:
        self._services = services

    def find(self, call: "CallContext") -> list[Registration] | None:
        """Return the tools; None: nothing was ever registered."""
        return self._find(call)[0]

    def change(
        self, call: "CallContext", change: "Callable[[list[Registration], int], Sequence[Registration]]"
    ) -> None:
        """Store what `change` returns for the tools and the time in milliseconds.

        Raises:
            OpenSearchError: there are too many tools, or others change them all the time.
            InvalidInput: the tools are too large together.
        """
        try:
            retry_on(PreconditionFailed, lambda: self._change_once(call, change), _RETRY)
        except PreconditionFailed as failed:
            reason = "too many other calls change the tools at this moment: try again"
            raise OpenSearchError(HTTPStatus.CONFLICT, "version_conflict_engine_exception", reason) from failed

    def _change_once(
        self, call: "CallContext", change: "Callable[[list[Registration], int], Sequence[Registration]]"
    ) -> None:
        stored, expected = self._find(call)
        changed = change(stored or [], round(self._services.reading.clock() * 1000))
        if len(changed) > MAX_REGISTERED_TOOLS:
            raise illegal_argument(f"A tenant can have at most {MAX_REGISTERED_TOOLS} tools: remove some first.")
        body = cast("JsonBody", {_TOOLS: [each.to_json() for each in changed]})
        self._services.sources.definition_admin.put(call, DefinitionKind.REGISTERED_TOOLS, _NAME, body, (), expected)

    def _find(self, call: "CallContext") -> tuple[list[Registration] | None, Presence | str]:
        try:
            stored = self._services.sources.definition_admin.find(call, DefinitionKind.REGISTERED_TOOLS, _NAME)
        except NotFound:
            return None, Presence.ABSENT
        return [_registration(each) for each in cast("list[dict[str, Any]]", stored.body[_TOOLS])], stored.tag


def _registration(members: Mapping[str, Any]) -> Registration:
    """Return a stored tool; members that a later release added are ignored."""
    return Registration(
        members["type"],
        members["name"],
        members.get("description"),
        members.get("parameters"),
        members.get("attributes"),
        members["create_time"],
        members.get("last_update_time"),
    )
