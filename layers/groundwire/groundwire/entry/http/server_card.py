"""Public information about this server: server card, catalog that links the card, front page.

Formats: MCP Server Card (SEP-2127, at the reserved path `<endpoint>/server-card`), AI Catalog (`specVersion` 1.0 at
its well-known path). Neither names a tool: only callers with a key can list tools.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from groundwire import __version__
from groundwire.wiring.use_cases.server_info import (
    DESCRIPTION,
    ICON,
    ICON_MEDIA_TYPE,
    ICON_PNG,
    ICON_PNG_MEDIA_TYPE,
    ICON_PNG_SIZE,
)

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
"""Headers of public responses, the same for everybody: any page may read them and cache them for an hour."""

_SCHEMA: Final = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json"


def build_card(settings: "Settings") -> dict[str, object]:
    """Return the server card with the server's public address."""
    # The import is local, since the other routes need no protocol modules.
    from groundwire_mcp.versions import SUPPORTED_VERSIONS

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
        "icons": [
            {"src": ICON, "mimeType": ICON_MEDIA_TYPE, "sizes": ["any"]},
            {"src": ICON_PNG, "mimeType": ICON_PNG_MEDIA_TYPE, "sizes": [ICON_PNG_SIZE]},
        ],
        "remotes": [remote],
    }


def build_catalog(settings: "Settings") -> dict[str, object]:
    """Return the catalog with one entry, which links the card."""
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
    """Return the text for a person who opens the server's address in a browser."""
    signing_in = "" if settings.identity_provider is None else ", or sign in where the client asks you to"
    return (
        f"Groundwire {__version__}\n\n{DESCRIPTION}\n\n"
        f"MCP clients connect to {settings.public_url}/mcp (Streamable HTTP).\n"
        f"Send your API key as `Authorization: Bearer KEY`{signing_in}.\n"
    )


def server_name(public_url: str) -> str:
    """Return the reversed host with the server's name, as in `com.example.rag/groundwire`; an IP address is `local`."""
    host = urlsplit(public_url).hostname or ""
    labels = host.split(".")
    # An IPv4 address has digits alone, and an IPv6 address has colons.
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
