"""Validation of a source before it is stored: its server answers as an MCP server, and declares the allowed tools."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import urlsplit

from groundwire.domain.errors import InvalidInput, Unavailable
from groundwire.domain.sources.pinned_tool import Declaration, PinnedTool, is_agent_tool_name, pin, shortened_names
from groundwire.domain.sources.source import LABEL_SEPARATOR
from groundwire.ports.sources import SourceGateway
from groundwire_egress.mcp_client.calls import SourceListing, SourceTarget

if TYPE_CHECKING:
    from groundwire.domain.access.policy import Policy

_UNREACHABLE: Final = (
    "The source cannot be used: no list of tools came from its MCP server. Check that it runs, its credential, and its "
    "URL, which must be public and https on port 443."
)
"""The one text for every reason, so that nobody can explore a network by registering sources."""
_LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_DEFAULT_PORTS: Final[Mapping[str, int]] = {"http": 80, "https": 443}


class SourceNotValid(InvalidInput):
    """Error for a source that cannot be validated; nothing was stored or changed."""


class OwnAddress(NamedTuple):
    """Address of this server, recognised whatever path and host name of this machine a URL has."""

    public_url: str

    def includes(self, url: str) -> bool:
        """Return whether the URL is one of this server."""
        own = _origin(self.public_url)
        return own is not None and own == _origin(url)


def list_tools(gateway: SourceGateway, target: SourceTarget) -> SourceListing:
    """Return the tools of a server.

    Raises:
        SourceNotValid: there is no list, for whatever reason.
    """
    try:
        return gateway.inspect(target)
    except Unavailable as error:
        raise SourceNotValid(_UNREACHABLE) from error


def pin_tools(
    prefix: str,
    policies: "Mapping[str, Policy | None]",
    kept: Mapping[str, PinnedTool],
    listing: SourceListing,
) -> dict[str, PinnedTool]:
    """Return the allowed tools: those that were accepted before as they were, the others as the server declares them.

    Args:
        prefix: of the names that agents call.
        policies: the allowed tools, each with its own policy.
        kept: tools that were accepted before.
        listing: tools of the server.

    Raises:
        InvalidInput: the server has no such tool, or it cannot be offered to agents.
    """
    declared = {str(each.get("name")): each for each in listing.declarations}
    pinned: dict[str, PinnedTool] = {}
    for name, policy in policies.items():
        tool = replace(kept[name], policy=policy) if name in kept else _new_tool(name, policy, declared)
        if not is_agent_tool_name(f"{prefix}{LABEL_SEPARATOR}{name}"):
            raise InvalidInput(f"The name of the tool {name!r} with the source's label is too long: shorten the label.")
        pinned[name] = tool
    return pinned


def _new_tool(name: str, policy: "Policy | None", declared: Mapping[str, Declaration]) -> PinnedTool:
    declaration = declared.get(name)
    if declaration is None:
        raise InvalidInput(f"The server has no tool {name!r}; it has: {shortened_names(declared.values())}.")
    tool = pin(declaration, policy)
    if tool is None:
        raise InvalidInput(
            f"The tool {name!r} cannot be offered. Its name may have only letters, digits, '_' and '-'. "
            "Its schema must be an object of at most 16 kB without external references."
        )
    return tool


def _origin(url: str) -> tuple[str, int] | None:
    """Return host and port, one host for all names of this machine; None without any."""
    try:
        parts = urlsplit(url)
        # A dot at the end names the same host, and `port` raises ValueError above 65535.
        host, port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError:
        return None
    if not host or parts.scheme not in _DEFAULT_PORTS:
        return None
    return "localhost" if host in _LOOPBACK else host, port or _DEFAULT_PORTS[parts.scheme]
