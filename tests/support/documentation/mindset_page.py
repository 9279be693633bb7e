"""The two requests of Mindset AI's page on retrieval servers, as the page has them; only URL and key are one's own."""

import json
from typing import Any, Final

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


def command(request: str, url: str, key: str) -> str:
    """The request of this section as a line for a shell, to the server at `url`."""
    if request == "Request Format":
        headers = {"Content-Type": "application/json", **EXAMPLE_HEADERS}
        options = "".join(f" -H '{name}: {value}'" for name, value in headers.items())
        typed = f"curl -X POST http://localhost:5000/mcp{options} -d '{EXAMPLE_BODY}'"
        return typed.replace("http://localhost:5000", url).replace("YOUR_API_KEY", key)
    return TRIAL.replace("http://localhost:5000", url).replace("your-api-key", key)


def segments(answer: str) -> list[dict[str, Any]]:
    """What the page has the answer hold; Raises AssertionError for an answer that is not as the page has it."""
    payload = json.loads(answer)
    assert (payload["jsonrpc"], payload["id"]) == ("2.0", "request-123"), payload
    assert payload["result"]["status"] == "success", payload
    found: list[dict[str, Any]] = payload["result"]["segments"]
    assert 1 <= len(found) <= 20
    for segment in found:
        assert segment.keys() >= {"segment_uid", "source_file_name", "source_file_type", "raw_text"}
    return found
