"""MCP Apps (extension `io.modelcontextprotocol/ui`, SEP-1865): views of tool results that hosts draw in a sandbox."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from groundwire_mcp.jsonrpc.json_codec import JsonObject

APPS_EXTENSION: Final = "io.modelcontextprotocol/ui"
APP_MEDIA_TYPE: Final = "text/html;profile=mcp-app"
_NO_ORIGINS: Final[Sequence[str]] = ()
_POLICY: Final = dict.fromkeys(("connectDomains", "resourceDomains", "frameDomains", "baseUriDomains"), _NO_ORIGINS)
"""Origins that a view may reach: none. A host makes the view's content security policy from these lists."""
# The view has its own background and no border, so that it looks the same in each host.
_META: Final[Mapping[str, object]] = {"ui": {"csp": _POLICY, "prefersBorder": False}}


class App(NamedTuple):
    """A view: one HTML document that reaches no other host.

    Attributes:
        uri: `ui://…`, which `Tool.app_uri` names.
        name: for programs.
        title: for people.
        load: returns the document.
    """

    uri: str
    name: str
    title: str
    description: str
    load: Callable[[], str]

    def listed(self) -> Mapping[str, object]:
        """Return the entry in a list of resources."""
        named = {"uri": self.uri, "name": self.name, "title": self.title, "description": self.description}
        return {**named, "mimeType": APP_MEDIA_TYPE, "_meta": _META}

    def contents(self) -> Mapping[str, object]:
        """Return the document as a resource that was read."""
        return {"uri": self.uri, "mimeType": APP_MEDIA_TYPE, "text": self.load(), "_meta": _META}


def declares_apps(capabilities: JsonObject) -> bool:
    """Return whether a client's capabilities name the extension and its media type."""
    extensions = capabilities.get("extensions")
    settings = extensions.get(APPS_EXTENSION) if isinstance(extensions, dict) else None
    media_types = settings.get("mimeTypes") if isinstance(settings, dict) else None
    return isinstance(media_types, list) and APP_MEDIA_TYPE in media_types
