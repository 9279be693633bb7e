"""Strands: its client speaks on a thread of its own, and its model's answers stream."""

# pyright: reportMissingImports=false
# The libraries are in the client's own environment.
import asyncio
from functools import partial

import httpx2
from mcp.client.streamable_http import streamable_http_client
from strands import Agent
from strands.models.openai import OpenAIModel
from strands.tools.mcp import MCPClient

from tests.e2e.clients.loops.scripts.looping import Case, run


async def ask(case: Case) -> str:
    """Ask through blocking methods, which must not block the loop that the client's thread is watched from."""
    return await asyncio.to_thread(_ask, case)


def _ask(case: Case) -> str:
    http = httpx2.AsyncClient(headers=case.headers)
    arguments = {"base_url": f"{case.model_url}/v1", "api_key": "none", "max_retries": 0}
    with MCPClient(partial(streamable_http_client, case.url, http_client=http)) as client:
        model = OpenAIModel(client_args=arguments, model_id="gpt-5")
        agent = Agent(model=model, tools=client.list_tools_sync(), callback_handler=None)
        return str(agent(case.question))


if __name__ == "__main__":
    run(ask)
