"""What strangers may know of this server: a card that says how to reach it, a catalog that points at the card, a page.

Formats: MCP Server Card (SEP-2127, at the reserved place `<endpoint>/server-card`), AI Catalog (`specVersion` 1.0 at
its well-known place). None names a tool: what there is, the server tells those who have a key.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from groundwire import __version__
from groundwire.wiring.server_info import DESCRIPTION, ICON, ICON_MEDIA_TYPE

if TYPE_CHECKING:
    from groundwire.settings.environment import Settings

CARD_PATH: Final = "/mcp/server-card"
CATALOG_PATH: Final = "/.well-known/ai-catalog.json"
CARD_MEDIA_TYPE: Final = "application/mcp-server-card+json"
CATALOG_MEDIA_TYPE: Final = "application/ai-catalog+json"
PUBLIC_HEADERS: Final = {
    "access-control-allow-origin": "*",
    "access-control-allow-methods": "GET",
    "access-control-allow-headers": "Content-Type",
    "cache-control": "public, max-age=3600",
}
"""Any page may read it, and anybody may keep it for an hour: it is the same for all."""

_SCHEMA: Final = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json"


def build_card(settings: "Settings") -> dict[str, object]:
    """The server at its public address."""
    # Late: the other routes load nothing of the protocol.
    from groundwire.protocol.versions import SUPPORTED_VERSIONS

    url = settings.public_url
    remote = {
        "type": "streamable-http",
        "url": f"{url}/mcp",
        "supportedProtocolVersions": list(SUPPORTED_VERSIONS),
        "headers": [_key_header(required=settings.identity_provider is None)],
    }
    return {
        "$schema": _SCHEMA,
        "name": server_name(url),
        "title": "Groundwire",
        "version": __version__,
        "description": DESCRIPTION,
        "websiteUrl": url,
        "icons": [{"src": ICON, "mimeType": ICON_MEDIA_TYPE, "sizes": ["any"]}],
        "remotes": [remote],
    }


def build_catalog(settings: "Settings") -> dict[str, object]:
    """Where the card is."""
    name = server_name(settings.public_url)
    entry = {
        "identifier": f"urn:mcp:{name.replace('/', ':')}",
        "displayName": "Groundwire",
        "description": DESCRIPTION,
        "version": __version__,
        "type": CARD_MEDIA_TYPE,
        "url": f"{settings.public_url}{CARD_PATH}",
    }
    return {"specVersion": "1.0", "entries": [entry]}


def front_page(settings: "Settings") -> str:
    """For a person who opens the address of the server in a browser."""
    signing_in = "" if settings.identity_provider is None else ", or sign in where the client asks you to"
    return (
        f"Groundwire {__version__}\n\n{DESCRIPTION}\n\n"
        f"MCP clients connect to {settings.public_url}/mcp (Streamable HTTP).\n"
        f"Send your API key as `Authorization: Bearer KEY`{signing_in}.\n"
    )


def server_name(public_url: str) -> str:
    """The host in reverse, as names of servers are: `com.example.rag/groundwire`; an address is `local`."""
    host = urlsplit(public_url).hostname or ""
    labels = host.split(".")
    is_name = len(labels) > 1 and not host.replace(".", "").isdigit() and ":" not in host
    return f"{'.'.join(reversed(labels)) if is_name else 'local'}/groundwire"


def _key_header(*, required: bool) -> Mapping[str, object]:
    key = {"description": "An API key of this server", "isRequired": True, "isSecret": True}
    return {
        "name": "Authorization",
        "description": "The API key, as a bearer token" + ("" if required else "; or sign in"),
        "isRequired": required,
        "isSecret": True,
        "value": "Bearer {api_key}",
        "variables": {"api_key": key},
    }
