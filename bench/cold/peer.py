"""One cold start of a function on awslabs.mcp-lambda-handler, asked to initialize."""

import json

from awslabs.mcp_lambda_handler import MCPLambdaHandler  # pyright: ignore[reportMissingImports, reportUnknownVariableType]

mcp = MCPLambdaHandler(name="peer", version="1.0.0")


@mcp.tool()  # pyright: ignore[reportUntypedFunctionDecorator]
def rag_search(search_phrases: str) -> str:
    """Search.

    Args:
        search_phrases: what to look for
    """
    return search_phrases


initialize = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "bench", "version": "1.0.0"},
    },
}
headers = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
event = {"httpMethod": "POST", "path": "/mcp", "headers": headers, "body": json.dumps(initialize)}
print(mcp.handle_request(event, None)["body"])
