"""The answers of an MCP server of either era, each of which a test can replace."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.support.entry.https_server import Received
from tests.support.entry.mcp_servers.recording_server import Answer

STATELESS = "2026-07-28"
HANDSHAKE = "2025-11-25"
SESSION = "session-1"
NO_HEADERS: Mapping[str, str] = {}
Override = Callable[[Received, Any], Answer | None]
Tool = Callable[[Mapping[str, Any]], Mapping[str, Any]]

TOOLS: list[dict[str, Any]] = [
    {"name": f"tool_{at}", "description": "A tool.", "inputSchema": {"type": "object", "properties": {}}}
    for at in range(7)
]


def text_result(text: str, **members: object) -> dict[str, Any]:
    """A result with one block of text."""
    return {"content": [{"type": "text", "text": text}], **members}


def json_answer(value: object, status: int = 200, headers: Mapping[str, str] = NO_HEADERS) -> Answer:
    """An answer with a JSON body."""
    return Answer(json.dumps(value).encode(), status, {"content-type": "application/json; charset=utf-8", **headers})


def events(*messages: object, headers: Mapping[str, str] = NO_HEADERS) -> Answer:
    """A stream of events; bytes are sent as they are."""
    chunks = [each if isinstance(each, bytes) else b"data: " + json.dumps(each).encode() + b"\n\n" for each in messages]
    return Answer(chunks, headers={"content-type": "text/event-stream", **headers})


def reply(request: Mapping[str, Any], result: object, **members: object) -> dict[str, Any]:
    """A response to a request."""
    return {"jsonrpc": "2.0", "id": request["id"], "result": result, **members}


def error(request: Mapping[str, Any], code: int, message: str) -> dict[str, Any]:
    """An error response to a request."""
    return {"jsonrpc": "2.0", "id": request["id"], "error": {"code": code, "message": message}}


@dataclass
class Script:
    """Behaviour of a server.

    Attributes:
        stateless: it serves the stateless era. handshake: version that it answers `initialize` with; None: it does not.
        streams: it answers with events. session: it keeps sessions.
        pages: tools, page by page. call: result of a tool.
        overrides: come first; the first one that answers counts.
    """

    stateless: bool = True
    handshake: str | None = HANDSHAKE
    streams: bool = False
    session: bool = True
    pages: Sequence[Sequence[Mapping[str, Any]]] = field(default=(TOOLS,))
    call: Tool = field(default=lambda params: text_result(json.dumps(params.get("arguments"))))
    overrides: list[Override] = field(default_factory=list[Override])

    def __call__(self, received: Received) -> Answer:
        """The answer to a request."""
        message: Any = json.loads(received.body) if received.body else None
        for override in self.overrides:
            answer = override(received, message)
            if answer is not None:
                return answer
        if received.method == "DELETE":
            return Answer(b"", 200)
        if received.headers.get("mcp-protocol-version") == STATELESS:
            return self._stateless(received, message)
        return self._handshake(received, message)

    def _stateless(self, received: Received, message: Mapping[str, Any]) -> Answer:
        if not self.stateless:
            refusal = {"jsonrpc": "2.0", "id": "server-error", "error": {"code": -32600, "message": "Bad Request"}}
            return json_answer(refusal, 400)
        meta, headers = message["params"]["_meta"], received.headers
        is_consistent = (
            meta["io.modelcontextprotocol/protocolVersion"] == STATELESS
            and meta["io.modelcontextprotocol/clientCapabilities"] == {}
            and headers["mcp-method"] == message["method"]
            and "mcp-session-id" not in headers
            and ("mcp-name" in headers) == (message["method"] == "tools/call")
        )
        if not is_consistent:
            return json_answer(error(message, -32020, "Header mismatch"), 400)
        if message["method"] == "server/discover":
            result = {"supportedVersions": [STATELESS], "capabilities": {"tools": {}}, "ttlMs": 0}
        else:
            result = self._result(message)
        return self._sent(reply(message, {"resultType": "complete", **result}))

    def _handshake(self, received: Received, message: Mapping[str, Any]) -> Answer:
        if self.handshake is None:
            unsupported = error(message, -32022, "Unsupported protocol version") if "id" in message else {}
            return json_answer(unsupported, 400)
        if message["method"] == "initialize":
            result = {"protocolVersion": self.handshake, "capabilities": {"tools": {}}, "serverInfo": {"name": "s"}}
            return self._sent(reply(message, result), {"mcp-session-id": SESSION} if self.session else NO_HEADERS)
        if self.session and received.headers.get("mcp-session-id") != SESSION:
            return json_answer({"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "No session"}}, 400)
        if "id" not in message:
            return Answer(b"", 202)
        return self._sent(reply(message, self._result(message)))

    def _result(self, message: Mapping[str, Any]) -> Mapping[str, Any]:
        params = message["params"]
        if message["method"] == "tools/call":
            return self.call(params)
        at = int(params.get("cursor", "0"))
        following = {"nextCursor": str(at + 1)} if at + 1 < len(self.pages) else {}
        return {"tools": self.pages[at], **following}

    def _sent(self, message: Mapping[str, Any], headers: Mapping[str, str] = NO_HEADERS) -> Answer:
        if not self.streams:
            return json_answer(message, headers=headers)
        progress = {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progress": 1}}
        return events(b": a comment\r\n\r\n", b"id: 1\ndata: \n\n", progress, message, headers=headers)


def on(method: str, answer: Callable[[Any], Answer | None]) -> Override:
    """An override for one method."""
    return lambda _, message: answer(message) if message is not None and message.get("method") == method else None


def methods_of(received: Iterable[Received]) -> list[str]:
    """Return the methods of the protocol that were called, in order, and DELETE."""
    return [json.loads(each.body)["method"] if each.body else each.method for each in received]
