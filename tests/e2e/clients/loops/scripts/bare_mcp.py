"""Python `mcp` and nothing else: the loop that its users write, which gives a model the text of each result."""

# pyright: reportMissingImports=false
# The library is in the client's own environment.
import json
from typing import Any

import httpx2
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client

from tests.e2e.clients.loops.scripts.looping import Case, run


async def ask(case: Case) -> str:
    """Ask the model until it calls no tool any more."""
    async with (
        httpx2.AsyncClient(headers=case.headers) as http,
        httpx2.AsyncClient() as api,
        Client(streamable_http_client(case.url, http_client=http)) as client,
    ):
        tools = [_offered(tool) for tool in (await client.list_tools()).tools]
        messages: list[dict[str, Any]] = [{"role": "user", "content": case.question}]
        while True:
            body = {"model": "gpt-5", "messages": messages, "tools": tools}
            answer = await api.post(f"{case.model_url}/v1/chat/completions", json=body)
            stated = answer.raise_for_status().json()["choices"][0]["message"]
            messages.append(stated)
            if not stated.get("tool_calls"):
                return str(stated["content"])
            for call in stated["tool_calls"]:
                text = await _called(client, call["function"])
                messages.append({"role": "tool", "tool_call_id": call["id"], "content": text})


def _offered(tool: Any) -> dict[str, Any]:
    function = {"name": tool.name, "description": tool.description, "parameters": tool.input_schema}
    return {"type": "function", "function": function}


async def _called(client: Any, function: dict[str, Any]) -> str:
    try:
        result = await client.call_tool(function["name"], json.loads(function["arguments"]))
    except MCPError as error:
        return f"{function['name']}: {error}"
    return "\n".join(block.text for block in result.content if block.type == "text")


if __name__ == "__main__":
    run(ask)
