"""A function on awslabs.mcp-lambda-handler; SESSIONS names the DynamoDB table of its own session store, if any."""

# Its packages are in an environment of its own.
# pyright: reportMissingImports=false, reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUntypedFunctionDecorator=false, reportUnknownArgumentType=false, reportArgumentType=false

import os
from functools import partial

from awslabs.mcp_lambda_handler import MCPLambdaHandler
from requested import body, headers, main

mcp = MCPLambdaHandler(name="peer", version="1.0.0", session_store=os.environ.get("SESSIONS"))


@mcp.tool()
def verify_document_access(segment_uid: str) -> str:
    """Verify.

    Args:
        segment_uid: a citation
    """
    return f"No access: {segment_uid}"


def _answer(operation: str) -> str:
    event = {"httpMethod": "POST", "path": "/mcp", "headers": headers(operation), "body": body(operation)}
    return str(mcp.handle_request(event, None)["body"])


if __name__ == "__main__":
    main({name: partial(_answer, name) for name in ("initialize", "list", "call")})
