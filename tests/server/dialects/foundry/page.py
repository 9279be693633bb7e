"""The commands of Foundry Local's page "MCP server overview", as it prints them."""

from typing import Final

SESSION: Final = (
    (
        r"""curl -si -X POST https://<cluster-domain>/edgeai/mcp \
-H "Content-Type: application/json" \
-H "Accept: application/json, text/event-stream" \
-H "Authorization: Bearer $TOKEN" \
-d '{"jsonrpc":"2.0","id":1,"method":"initialize","""
        r""""params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"curl","version":"1.0"}}}'"""
    ),
    r"""curl -s -X POST https://<cluster-domain>/edgeai/mcp \
-H "Content-Type: application/json" \
-H "Accept: application/json, text/event-stream" \
-H "Mcp-Session-Id: <session-id-from-step-1>" \
-H "Authorization: Bearer $TOKEN" \
-d '{"jsonrpc":"2.0","id":2,"method":"tools/list"}'""",
    (
        r"""curl -s -X POST https://<cluster-domain>/edgeai/mcp \
-H "Content-Type: application/json" \
-H "Accept: application/json, text/event-stream" \
-H "Mcp-Session-Id: <session-id-from-step-1>" \
-H "Authorization: Bearer $TOKEN" \
-d '{"jsonrpc":"2.0","id":3,"method":"tools/call","""
        r""""params":{"name":"search_hybrid","arguments":{"query":"How do I reset my device?","top_n":5}}}'"""
    ),
)
"""The session of three steps."""
CLUSTER: Final = "https://<cluster-domain>"
SESSION_ID: Final = "<session-id-from-step-1>"
KEY_HEADER: Final = '-H "Authorization: Bearer $TOKEN" \\\n'
PROTOCOL: Final = "2025-03-26"
