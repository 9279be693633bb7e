"""The two requests of Mindset AI's page on retrieval servers, and the rules that it has for each field of an answer."""

import json
import re
from typing import Any, Final
from urllib.parse import urlsplit

EXAMPLE_HEADERS: Final = {
    "x-user-id": "user@example.com",
    "x-session-tags": '["department:sales", "region:north", "Q4-2024", "premium_access"]',
    "Authorization": "Bearer YOUR_API_KEY",
}
"""Those of the request in the section "Request Format"."""
EXAMPLE_BODY: Final = """{
  "jsonrpc": "2.0",
  "method": "tools/call",
  "params": {
    "name": "rag_search",
    "arguments": {
      "search_phrases": [
        "key features?",
        "Product X capabilities and specifications",
        "How does product X compare to competitors?",
        "Product X technical documentation",
        "Benefits and limitations of product X"
      ]
    }
  },
  "id": "request-123"
}"""
TRIAL: Final = r"""curl -X POST http://localhost:5000/mcp \
  -H "Content-Type: application/json" \
  -H "Authorization: Bearer your-api-key" \
  -H "x-user-id: user@example.com" \
  -H "x-human-uid: human_123456789" \
  -H "x-session-tags: [\"department:sales\",\"premium_access\"]" \
  -d '{
  "jsonrpc": "2.0",
  "method": "tools/call",
  "params": {
    "name": "rag_search",
    "arguments": {
      "search_phrases": [
        "product features",
        "Product X capabilities and specifications",
        "How does product X compare to competitors?"
      ]
    }
  },
  "id": "request-123"
}'"""
"""The command of the section on testing one's server."""
REQUESTS: Final = ("Request Format", "Testing Your RAG MCP Server")
TAGS: Final[dict[str, list[str]]] = {
    "Request Format": json.loads(EXAMPLE_HEADERS["x-session-tags"]),
    "Testing Your RAG MCP Server": ["department:sales", "premium_access"],
}

MOST_SEGMENTS: Final = 20
MOST_HEADLINE_WORDS: Final = 10
MOST_SUMMARY_SENTENCES: Final = 3
_REQUIRED: Final = {"segment_uid", "source_file_name", "source_file_type", "raw_text"}
_OPTIONAL: Final = {"headline", "segment_summary", "source_url"}


def command(request: str, url: str, key: str) -> str:
    """The request of this section as a line for a shell, to the server at `url`."""
    if request == "Request Format":
        headers = {"Content-Type": "application/json", **EXAMPLE_HEADERS}
        options = "".join(f" -H '{name}: {value}'" for name, value in headers.items())
        typed = f"curl -X POST http://localhost:5000/mcp{options} -d '{EXAMPLE_BODY}'"
        return typed.replace("http://localhost:5000", url).replace("YOUR_API_KEY", key)
    return TRIAL.replace("http://localhost:5000", url).replace("your-api-key", key)


def segments(answer: str, request_id: object = "request-123") -> list[dict[str, Any]]:
    """What the page has the answer hold, each field by its rule; AssertionError for an answer of another form."""
    result = _result(answer, request_id)
    assert result["status"] == "success"
    found: list[dict[str, Any]] = result["segments"]
    assert isinstance(found, list)
    assert len(found) <= MOST_SEGMENTS
    for segment in found:
        _check_segment(segment)
    uids = [segment["segment_uid"] for segment in found]
    assert len(set(uids)) == len(uids)
    return found


def verification(answer: str, request_id: object = "request-123") -> dict[str, Any]:
    """The four fields about a user's access, each by its rule; AssertionError for an answer of another form."""
    result = _result(answer, request_id)
    fields = {name: result.get(name) for name in ("has_access", "refreshed_url", "access_level", "error")}
    assert isinstance(fields["has_access"], bool)
    if fields["has_access"]:
        assert _is_address(fields["refreshed_url"])
        assert fields["access_level"] == "view"
        assert fields["error"] is None
    else:
        assert fields["refreshed_url"] is None
        assert fields["access_level"] is None
        assert _is_text(fields["error"])
    return fields


def error(answer: str, request_id: object = "request-123") -> tuple[int, str]:
    """Code and message of an error; AssertionError for an answer of another form."""
    payload = json.loads(answer)
    assert payload.keys() == {"jsonrpc", "error", "id"}, payload
    assert payload["jsonrpc"] == "2.0"
    assert payload["id"] == request_id
    assert type(payload["id"]) is type(request_id)
    wire_error = payload["error"]
    assert {"code", "message"} <= wire_error.keys() <= {"code", "message", "data"}
    assert type(wire_error["code"]) is int
    assert _is_text(wire_error["message"])
    return wire_error["code"], wire_error["message"]


def _result(answer: str, request_id: object) -> dict[str, Any]:
    payload = json.loads(answer)
    assert payload.keys() == {"jsonrpc", "result", "id"}, payload
    assert payload["jsonrpc"] == "2.0"
    assert payload["id"] == request_id
    assert type(payload["id"]) is type(request_id)
    return dict(payload["result"])


def _check_segment(segment: dict[str, Any]) -> None:
    assert _REQUIRED <= segment.keys() <= _REQUIRED | _OPTIONAL
    assert all(_is_text(value) for value in segment.values()), segment
    assert segment["source_file_name"].lower().endswith(f".{segment['source_file_type']}")
    assert len(segment.get("headline", "").split()) <= MOST_HEADLINE_WORDS
    # One to three sentences: a full stop within a sentence, as in a number, is followed by no blank.
    assert len(re.findall(r"[.!?](?=\s|$)", segment.get("segment_summary", ""))) <= MOST_SUMMARY_SENTENCES
    assert _is_address(segment.get("source_url", "https://left-out.example/"))


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_address(value: object) -> bool:
    parts = urlsplit(value) if isinstance(value, str) else None
    return parts is not None and parts.scheme in {"http", "https"} and bool(parts.netloc)
