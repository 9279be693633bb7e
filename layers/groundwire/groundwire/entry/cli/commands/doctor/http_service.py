"""Calls of a deployed service over HTTP, as an agent and an administrator make them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from groundwire.domain.errors import Unavailable
from groundwire.domain.text.json_values import list_or_empty, load_mapping, mapping_or_empty
from groundwire.wiring import remote_targets
from groundwire_mcp.transport.http import HttpResponse

_REVISION: Final = "2025-11-25"
"""Revision of MCP with sessions, which later ones lack."""
_INITIALIZE: Final = {
    "protocolVersion": _REVISION,
    "capabilities": {},
    "clientInfo": {"name": "groundwire-doctor", "version": "1"},
}


@dataclass(frozen=True, slots=True)
class LinkedPassage:
    """A passage that a search found: its text, and the link to its document."""

    text: str
    link: str


@dataclass(frozen=True, slots=True)
class HttpService:
    """The service at an address without a slash at its end."""

    url: str

    def send(
        self, method: str, path: str, headers: Mapping[str, str], message: Mapping[str, object] | None = None
    ) -> HttpResponse:
        """Return the response to a request with a JSON message or without a body."""
        body = None if message is None else json.dumps(message).encode()
        sent = headers if body is None else {**headers, "content-type": "application/json"}
        return remote_targets.send_http(method, self.url + path, sent, body)

    def mcp(
        self,
        headers: Mapping[str, str],
        method: str,
        params: Mapping[str, object] | None = None,
        *,
        path: str = "/mcp",
    ) -> HttpResponse:
        """Return the response to an MCP request."""
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}}
        # MCP's transport demands that a client accepts both forms.
        accepted = {"accept": "application/json, text/event-stream", **headers}
        return self.send("POST", path, accepted, message)

    def initialize(self, headers: Mapping[str, str]) -> HttpResponse:
        """Return the response that begins a session."""
        return self.mcp(headers, "initialize", _INITIALIZE)

    def in_session(self, headers: Mapping[str, str], session: str) -> Mapping[str, str]:
        """Return the headers of a call in a session."""
        return {**headers, "mcp-session-id": session, "mcp-protocol-version": _REVISION}

    def search(self, headers: Mapping[str, str], phrase: str) -> list[LinkedPassage]:
        """Return the passages that the caller finds.

        Raises:
            Unavailable: the search failed; the text has what the service answered.
        """
        params = {"name": "rag_search", "arguments": {"search_phrases": [phrase]}}
        response = self.mcp(headers, "tools/call", params)
        result = mapping_or_empty((load_mapping(response.body) or {}).get("result"))
        if result.get("status") != "success":
            raise Unavailable(f"The search failed ({response.status}): {response.body[:300].decode(errors='replace')}")
        found = [mapping_or_empty(each) for each in list_or_empty(result.get("segments"))]
        return [LinkedPassage(str(each.get("raw_text")), str(each.get("source_url"))) for each in found]
