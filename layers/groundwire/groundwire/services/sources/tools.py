"""Tools of sources for agents: which a caller may see and call at this moment, and calls to them."""

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from groundwire.domain.access.scopes import Scope, missing_scope
from groundwire.domain.errors import NotFound
from groundwire.domain.limits import MAX_JOINED_SOURCES
from groundwire.domain.sources.pinned_tool import PinnedTool
from groundwire.domain.sources.source import McpSource, SourceAuthType, split_tool_name
from groundwire.domain.sources.state import SourceCaller
from groundwire.ports.sources import SignInRequired, SourceGateway, SourceToolChanged
from groundwire.services.sources.states import ToolStatus, tool_status
from groundwire_egress.mcp_client.calls import SourceAnswer, SourceToolCall

if TYPE_CHECKING:
    from groundwire.services.call_context import CallContext
    from groundwire.services.sources.records import SourceRecord
    from groundwire.services.sources.registry import SourceRegistry
    from groundwire.services.sources.states import SourceStates

_UNKNOWN: Final = "There is no tool of this name."
SIGN_IN: Final = (
    "This tool needs the user's own sign-in. Connect by signing in at the identity provider instead of "
    "with an API key, then call the tool again."
)
_CHANGED: Final = "The source's server changed the declaration of this tool. An administrator must accept it."


class SourceTool(NamedTuple):
    """Tool of a source that a caller may call.

    Attributes:
        name: as agents see it.
    """

    record: "SourceRecord"
    tool: PinnedTool
    name: str

    @property
    def source(self) -> McpSource:
        """Source of the tool."""
        return self.record.source


class MappedTool(NamedTuple):
    """Search tool of a source that joins the answers over a collection.

    Attributes:
        query_argument: its argument that gets the phrase.
    """

    tool: SourceTool
    collection: str
    query_argument: str


class SourceTools:
    """Tools of the sources of the caller's tenant, decided for each call."""

    def __init__(self, registry: "SourceRegistry", states: "SourceStates", gateway: SourceGateway) -> None:
        self._registry = registry
        self._states = states
        self._gateway = gateway

    def list_all(self, call: "CallContext") -> list[SourceTool]:
        """Return the tools that the caller may call now, by source and name.

        A tool whose declaration changed is left out, and so are those of a source that exchanges the user's token
        where the caller did not sign in with one.
        """
        if not _may_search(call):
            return []
        found: list[SourceTool] = []
        for record in self._registry.records(call):
            admitted = [] if _lacks_token(call, record.source) else self._admitted(call, record)
            if admitted:
                listing = self._states.listing(call.caller.principal.tenant, record.source.source_id)
                found += [each for each in admitted if tool_status(each.tool, listing) is ToolStatus.ENABLED]
        # Agents cannot tell two tools of one name apart, so the first one stays.
        return list({each.name: each for each in reversed(found)}.values())[::-1]

    def find(self, call: "CallContext", name: str) -> SourceTool:
        """Return the tool of this name.

        Raises:
            NotFound: there is none, or the caller may not call it.
        """
        if split_tool_name(name) is not None and _may_search(call):
            for record in self._registry.records(call):
                for each in self._admitted(call, record):
                    if each.name == name:
                        return each
        raise NotFound(_UNKNOWN)

    def mapped(self, call: "CallContext", is_searched: Callable[[str], bool]) -> list[MappedTool]:
        """Return the search tools that are mapped to collections of a search, of those that the caller may call.

        Args:
            call: of the caller.
            is_searched: returns whether a collection of this name is searched.
        """
        if not _may_search(call):
            return []
        found: list[MappedTool] = []
        for record in self._registry.mapped_records(call):
            mapping = record.source.mapping
            if mapping is None or not is_searched(mapping.collection):
                continue
            if call.caller.allows_collection(mapping.collection):
                tools = [each for each in self._admitted(call, record) if each.tool.name == mapping.tool]
                found += [MappedTool(each, mapping.collection, mapping.query_argument) for each in tools]
        return found[:MAX_JOINED_SOURCES]

    def call(self, call: "CallContext", tool: SourceTool, arguments: Mapping[str, object]) -> SourceAnswer:
        """Return the answer of the source's server; nothing but the arguments is sent.

        Args:
            call: of a caller that was admitted to the tool, by `find` in the same call.
            tool: the tool.
            arguments: those of the call.

        Raises:
            SourceUnavailable: the server does not answer.
            SourceToolChanged: it declares the tool differently than accepted.
            SignInRequired: the source exchanges the user's token, and the caller did not sign in with one.
            LimitExceeded: the source was called too often.
        """
        source = tool.source
        call.audit_fields.update({"source": source.source_id, "source_tool": tool.tool.name})
        if _lacks_token(call, source):
            raise SignInRequired(SIGN_IN)
        self._check_listing(call, tool)
        wire = SourceToolCall(tool.tool.name, arguments, tool.tool.digest, tool.tool.mirrored_arguments)
        target = self._registry.target_of(call, tool.record, call.caller.user_token)
        # Counted before the call: the arguments are sent even if the call fails.
        sent = json.dumps(arguments, ensure_ascii=False).encode("utf-8", "replace")
        call.audit_fields["source_sent_bytes"] = len(sent)
        answer = self._gateway.call(target, wire, SourceCaller.of(call.caller))
        call.audit_fields.update(
            {"source_sent_bytes": answer.sent_bytes, "source_received_bytes": answer.received_bytes}
        )
        return answer

    def _admitted(self, call: "CallContext", record: "SourceRecord") -> list[SourceTool]:
        source, principal = record.source, call.caller.principal
        if not source.admits(principal):
            return []
        return [
            SourceTool(record, tool, source.tool_name(tool.name))
            for tool in source.tools.values()
            if source.admits_tool(principal, tool)
        ]

    def _check_listing(self, call: "CallContext", tool: SourceTool) -> None:
        """Check the tool against the last listing, unless the call itself lists the tools again.

        Raises:
            SourceToolChanged: the server declared the tool differently than accepted, or no more.
        """
        tenant, source_id = call.caller.principal.tenant, tool.source.source_id
        if tool_status(tool.tool, self._states.listing(tenant, source_id)) is ToolStatus.ENABLED:
            return
        if not self._states.is_listing_old(tenant, source_id):
            raise SourceToolChanged(_CHANGED)


def _may_search(call: "CallContext") -> bool:
    return missing_scope(call.caller.scopes, Scope.SEARCH) is None


def _lacks_token(call: "CallContext", source: McpSource) -> bool:
    return source.auth_type is SourceAuthType.MICROSOFT_ENTRA_ID and call.caller.user_token is None
