"""An agent: posts what agents post, and reads what they read."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import httpx

from groundwire_mcp.transport.http import HttpRequest, HttpResponse
from tests.support.plugins.response_schemas import check


@dataclass(frozen=True, slots=True)
class Agent:
    """Client that holds a key and acts for the user whom it names.

    Attributes:
        headers: what it sends with every call, the key among them.
    """

    http: httpx.Client
    headers: Mapping[str, str]

    def speaking_for(self, user: str | None, tags: Sequence[str] | None = None) -> "Agent":
        """The same agent with the identity headers of this user and these tags."""
        more: dict[str, str] = {}
        if user is not None:
            more["x-user-id"] = user
        if tags is not None:
            more["x-session-tags"] = json.dumps(list(tags))
        return Agent(self.http, {**self.headers, **more})

    def post(self, body: object, headers: Mapping[str, str] | None = None) -> httpx.Response:
        """The response to one message, or to bytes as they are; validated, as the server is another process."""
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        sent = {"content-type": "application/json", **self.headers, **(headers or {})}
        response = self.http.post("/mcp", content=content, headers=sent)
        if not (response.is_client_error and response.json().keys() == {"message"}):
            # Those are the gateway's own refusals, before any function is asked.
            request = HttpRequest("POST", "/mcp", {name.lower(): value for name, value in sent.items()}, content)
            check(request, HttpResponse(response.status_code, response.headers, response.content))
        return response

    def tool(self, name: str, **arguments: object) -> httpx.Response:
        """The response to a `tools/call`."""
        return self.post(tool_call(name, **arguments))

    def search(self, *phrases: str) -> list[dict[str, Any]]:
        """The segments of a `rag_search` that succeeds."""
        answer = self.tool("rag_search", search_phrases=list(phrases)).json()
        assert answer["result"]["status"] == "success", answer
        return list(answer["result"]["segments"])

    def files(self, *phrases: str) -> set[str]:
        """The names of the files that answer."""
        return {segment["source_file_name"] for segment in self.search(*phrases)}

    def verify(self, segment_uid: str) -> dict[str, Any]:
        """The result of a `verify_document_access` that succeeds."""
        return dict(self.tool("verify_document_access", segment_uid=segment_uid).json()["result"])

    def output_schema(self, tool: str) -> dict[str, Any]:
        """The schema that the server publishes to MCP clients for a tool's results."""
        marked = {"mcp-protocol-version": "2025-11-25"}
        listed = self.post({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, marked).json()["result"]["tools"]
        return next(each["outputSchema"] for each in listed if each["name"] == tool)


def tool_call(name: str, **arguments: object) -> dict[str, Any]:
    """The message of a `tools/call`."""
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}}


def agent(http: httpx.Client, key: str) -> Agent:
    """One that sends its key as most do."""
    return Agent(http, {"authorization": f"Bearer {key}"})
