"""The official SDK behind Mangum: a fresh app per call, since its session manager runs only once."""

# Its packages are in an environment of its own.
# pyright: reportMissingImports=false, reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUntypedFunctionDecorator=false, reportUnknownArgumentType=false, reportArgumentType=false

from functools import partial

from mangum import Mangum
from mcp.server import MCPServer
from requested import event, main

mcp = MCPServer("peer", log_level="ERROR")


@mcp.tool()
def verify_document_access(segment_uid: str) -> str:
    """Verify."""
    return f"No access: {segment_uid}"


def _answer(call: dict[str, object]) -> str:
    app = mcp.streamable_http_app(stateless_http=True, json_response=True)
    return str(Mangum(app, lifespan="auto")(call, None)["body"])


if __name__ == "__main__":
    main({name: partial(_answer, event(name)) for name in ("initialize", "discover", "list", "call")})
