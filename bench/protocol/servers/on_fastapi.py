"""MCP on FastAPI behind Mangum without an MCP library, as a team writes it that knows both."""

# Its packages are in an environment of its own.
# pyright: reportMissingImports=false, reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUntypedFunctionDecorator=false, reportUnknownArgumentType=false, reportArgumentType=false

from functools import partial
from typing import Any

from fastapi import FastAPI
from mangum import Mangum
from pydantic import BaseModel
from requested import TOOL, event, main

app = FastAPI()


class Message(BaseModel):
    """A JSON-RPC request."""

    jsonrpc: str
    id: int | str
    method: str
    params: dict[str, Any] = {}


def _initialize(params: dict[str, Any]) -> dict[str, Any]:
    server = {"name": "peer", "version": "1.0.0"}
    return {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": server}


def _list(_params: dict[str, Any]) -> dict[str, Any]:
    schema = {"type": "object", "properties": {"segment_uid": {"type": "string"}}, "required": ["segment_uid"]}
    return {"tools": [{"name": TOOL, "description": "Verify.", "inputSchema": schema}]}


def _call(params: dict[str, Any]) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": f"No access: {params['arguments']['segment_uid']}"}]}


_METHODS = {"initialize": _initialize, "tools/list": _list, "tools/call": _call}


@app.post("/mcp")
async def mcp(message: Message) -> dict[str, Any]:
    """Handle one message."""
    return {"jsonrpc": "2.0", "id": message.id, "result": _METHODS[message.method](message.params)}


_handler = Mangum(app, lifespan="off")


def _answer(call: dict[str, object]) -> str:
    return str(_handler(call, None)["body"])


if __name__ == "__main__":
    main({name: partial(_answer, event(name)) for name in ("initialize", "list", "call")})
