"""Strands: a client that speaks on a thread of its own and gives its agents plain dictionaries."""

# pyright: reportMissingImports=false
# The libraries are in the client's own environment.
import asyncio
from functools import partial

import httpx2
from mcp.client.streamable_http import streamable_http_client
from strands.tools.mcp import MCPClient

from tests.e2e.clients.scripts.client_run import UNKNOWN_TOOL, Report, Task, address_of, run, text_of


async def client_run(task: Task) -> Report:
    """Through its blocking methods, which must not block the loop that its thread is watched from."""
    return await asyncio.to_thread(_client_run, task)


def _client_run(task: Task) -> Report:
    http = httpx2.AsyncClient(headers=task.headers)
    with MCPClient(partial(streamable_http_client, task.url, http_client=http)) as client:
        reported = Report(tools=[tool.tool_name for tool in client.list_tools_sync()])
        failed = client.call_tool_sync("1", UNKNOWN_TOOL, {})
        reported.error = failed["content"][0]["text"] if failed["status"] == "error" else ""
        result = client.call_tool_sync("2", task.tool, task.arguments)
        reported.answer = "\n".join(block.get("text", "") for block in result["content"])
        reported.structured = result.get("structuredContent")
        reported.blocks = [kind for block in result["content"] for kind in block]
        refused = client.call_tool_sync("3", task.tool, task.impossible)
        reported.refusal = f"result: {refused['content'][0]['text']}" if refused["status"] == "error" else ""
        resources = client.list_resources_sync().resources
        reported.resources = [resource.name for resource in resources]
        reported.resource = text_of(client.read_resource_sync(address_of(resources, task.document)).contents)
        reported.prompts = [prompt.name for prompt in client.list_prompts_sync().prompts]
        filled = client.get_prompt_sync(*task.prompt)
        reported.prompt = text_of(message.content for message in filled.messages)
        return reported


if __name__ == "__main__":
    run(client_run)
