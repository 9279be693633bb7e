"""FastMCP behind Mangum: a fresh app per call, for the same reason as with the official SDK."""

# Its packages are in an environment of its own.
# pyright: reportMissingImports=false, reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUntypedFunctionDecorator=false, reportUnknownArgumentType=false, reportArgumentType=false

from functools import partial

from fastmcp import FastMCP
from mangum import Mangum
from requested import event, main

mcp = FastMCP("peer")


@mcp.tool
def verify_document_access(segment_uid: str) -> str:
    """Verify."""
    return f"No access: {segment_uid}"


def _answer(call: dict[str, object]) -> str:
    app = mcp.http_app(stateless_http=True, json_response=True)
    return str(Mangum(app, lifespan="auto")(call, None)["body"])


if __name__ == "__main__":
    main({name: partial(_answer, event(name)) for name in ("initialize", "discover", "list", "call")})
