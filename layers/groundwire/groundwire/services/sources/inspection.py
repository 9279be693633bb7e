"""Inspection of stored sources: their servers list their tools now, and the list counts for calls from then on."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from groundwire.domain.errors import NotFound
from groundwire.domain.sources.source import McpSource
from groundwire.services.sources.states import ToolStatus, tool_status
from groundwire.services.sources.validation import list_tools

if TYPE_CHECKING:
    from groundwire.ports.sources import SourceGateway
    from groundwire.services.call_context import CallContext
    from groundwire.services.sources.registry import SourceRegistry
    from groundwire.services.sources.states import SourceStates
    from groundwire.services.sources.validation import OwnAddress


class SourceInspection:
    """Inspection of the sources of the caller's tenant.

    Args:
        own_address: the address of this server: a source there is a collection, and no call is made.
    """

    def __init__(
        self, registry: "SourceRegistry", states: "SourceStates", gateway: "SourceGateway", own_address: "OwnAddress"
    ) -> None:
        self._registry = registry
        self._states = states
        self._gateway = gateway
        self._own_address = own_address

    def can_inspect(self, source: McpSource) -> bool:
        """Return whether the source has a server that is called: one at this server's own address is a collection."""
        return not self._own_address.includes(source.server_url)

    def check(self, call: "CallContext", source: McpSource) -> Mapping[str, ToolStatus]:
        """Store the tools that the source's server declares now, and return the status of each accepted tool by name.

        Raises:
            NotFound: the source was deleted meanwhile.
            SourceNotValid: the server cannot be used, for whatever reason.
        """
        record = self._registry.find(call, source.source_id)
        if record is None:
            raise NotFound("There is no source of this id.", "source")
        listing = list_tools(self._gateway, self._registry.target_of(call, record, user_token=None))
        listed = self._states.store_listing(call.caller.principal.tenant, source.source_id, listing)
        return {name: tool_status(tool, listed) for name, tool in record.source.tools.items()}
