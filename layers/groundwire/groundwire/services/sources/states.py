"""Stored state of sources, and the last listing of their tools: rows that no administrator writes."""

import json
import random
import time
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from groundwire.domain.errors import NotFound, PreconditionFailed, Unavailable
from groundwire.domain.sources.pinned_tool import (
    clean_description,
    declaration_digest,
    declared_names,
    is_tool_name,
    pin,
)
from groundwire.domain.sources.state import CallerState, SourceState, after_listing
from groundwire.ports.definitions import DefinitionKind, Definitions, Presence, StoredDefinition
from groundwire.retry import Backoff, RetryPolicy, retry_on

if TYPE_CHECKING:
    from groundwire.domain.sources.pinned_tool import Declaration, PinnedTool
    from groundwire.ports.system import Clock
    from groundwire_egress.mcp_client.calls import SourceListing

_LISTING_BYTES: Final = 60_000
"""Size of a stored listing with schemas; a larger one is stored without them."""
_SHORT_CHARACTERS: Final = 80
"""Beginning of a description in the list of a server that declares too much."""
_CONTENDED: Final = RetryPolicy(8, Backoff(time.sleep, random.random, first_s=0.01, longest_s=1.28))
"""Attempts of a write while other calls change the state, with pauses."""
_KINDS: Final = (DefinitionKind.SOURCE_STATE, DefinitionKind.SOURCE_LISTING)


class DeclaredTool(NamedTuple):
    """Tool as the server declared it last, and as agents would see it once it is accepted.

    Attributes:
        digest: hash of the declaration.
        description, input_schema: cleaned; `input_schema` None: the tool cannot be offered, or the list of all tools
            is too large to be stored with schemas.
    """

    digest: str
    description: str
    input_schema: Mapping[str, object] | None = None


class ToolStatus(StrEnum):
    """Comparison of an accepted tool with what its server declared last."""

    ENABLED = "enabled"
    CHANGED = "changed"
    MISSING = "missing"


def tool_status(tool: "PinnedTool", listing: Mapping[str, DeclaredTool]) -> ToolStatus:
    """Return the status of an accepted tool; without any listing it is missing."""
    listed = listing.get(tool.name)
    if listed is None:
        return ToolStatus.MISSING
    return ToolStatus.ENABLED if listed.digest == tool.digest else ToolStatus.CHANGED


class SourceStates:
    """Store of the states and listings of sources.

    Args:
        new_tag: returns a text that was never returned before.
        clock: epoch seconds.
    """

    def __init__(self, definitions: Definitions, new_tag: Callable[[], str], clock: "Clock") -> None:
        self._definitions = definitions
        self._new_tag = new_tag
        self._clock = clock

    def change(
        self,
        tenant: str,
        source_id: str,
        change: Callable[[SourceState], SourceState | None],
        *,
        creates: bool,
    ) -> SourceState | None:
        """Store what `change` returns for the stored state, and return it; None: nothing is stored.

        Args:
            tenant: the tenant.
            source_id: of its source.
            change: returns the state to store; None: none.
            creates: a source without a state gets one; else nothing is stored for it, as it may be deleted.

        Raises:
            Unavailable: other calls change the state all the time.
        """

        def attempt() -> SourceState | None:
            stored = self._definitions.find(tenant, DefinitionKind.SOURCE_STATE, source_id)
            if stored is None and not creates:
                return None
            changed = change(SourceState() if stored is None else _state(stored.body))
            if changed is None:
                return None
            expected = Presence.ABSENT if stored is None else stored.tag
            self._put(tenant, DefinitionKind.SOURCE_STATE, source_id, changed._asdict(), expected)
            return changed

        try:
            return retry_on(PreconditionFailed, attempt, _CONTENDED)
        except PreconditionFailed as error:
            raise Unavailable(
                "Too many calls use the source at this moment. Try again soon.", retry_after_s=1
            ) from error

    def listing(self, tenant: str, source_id: str) -> dict[str, DeclaredTool]:
        """Return the tools of the last listing by name; empty if it is missing."""
        stored = self._definitions.find(tenant, DefinitionKind.SOURCE_LISTING, source_id)
        members = {} if stored is None else cast("dict[str, list[Any]]", json.loads(stored.body)["tools"])
        # A later release may have added members at the end.
        return {name: DeclaredTool(*each[:3]) for name, each in members.items()}

    def is_listing_old(self, tenant: str, source_id: str) -> bool:
        """Return whether a call lists the tools of a source again before it."""
        stored = self._definitions.find(tenant, DefinitionKind.SOURCE_STATE, source_id)
        return (SourceState() if stored is None else _state(stored.body)).needs_listing(self._clock())

    def store_listing(self, tenant: str, source_id: str, listing: "SourceListing") -> dict[str, DeclaredTool]:
        """Store a listing as the last one, and return its tools by name."""
        # A tool by another name cannot be offered, and its name may have any length.
        declared = {str(each.get("name")): each for each in listing.declarations}
        names = filter(is_tool_name, declared_names(listing.declarations))
        tools = _storable({name: _declared_tool(declared[name]) for name in names})
        self._put(tenant, DefinitionKind.SOURCE_LISTING, source_id, {"tools": tools}, Presence.ANY)

        def listed(state: SourceState) -> SourceState:
            return after_listing(state, listing.protocol, self._clock())

        self.change(tenant, source_id, listed, creates=True)
        return tools

    def delete(self, tenant: str, source_id: str) -> None:
        """Delete state and listing of a source, if there are any."""
        for kind in _KINDS:
            try:
                self._definitions.delete(tenant, kind, source_id, Presence.ANY)
            except NotFound:
                continue

    def _put(
        self, tenant: str, kind: DefinitionKind, source_id: str, members: Mapping[str, object], expected: Presence | str
    ) -> None:
        now = self._clock()
        body = _to_bytes(members)
        self._definitions.put(tenant, StoredDefinition(kind, source_id, body, self._new_tag(), now, now), expected)


def _state(body: bytes) -> SourceState:
    """Return a stored state; members that a later release added are ignored."""
    members = cast("dict[str, Any]", json.loads(body))
    callers = {name: CallerState(*each[:3]) for name, each in members.pop("callers", {}).items()}
    return SourceState(**{name: members[name] for name in SourceState._fields if name in members}, callers=callers)


def _declared_tool(declaration: "Declaration") -> DeclaredTool:
    pinned, digest = pin(declaration, None), declaration_digest(declaration)
    if pinned is None:
        return DeclaredTool(digest, clean_description(declaration))
    return DeclaredTool(digest, pinned.description, pinned.input_schema)


def _storable(tools: Mapping[str, DeclaredTool]) -> dict[str, DeclaredTool]:
    """Return the tools as a definition can hold them: without schemas, or with short descriptions, if need be."""
    if _size(tools) <= _LISTING_BYTES:
        return {**tools}
    plain = {name: tool._replace(input_schema=None) for name, tool in tools.items()}
    if _size(plain) <= _LISTING_BYTES:
        return plain
    return {name: tool._replace(description=tool.description[:_SHORT_CHARACTERS]) for name, tool in plain.items()}


def _size(tools: Mapping[str, DeclaredTool]) -> int:
    return len(_to_bytes(tools))


def _to_bytes(members: Mapping[str, object]) -> bytes:
    """Return JSON text; a lone surrogate becomes a question mark."""
    return json.dumps(members, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
