"""LlamaIndex: every use opens a session of its own."""

# pyright: reportMissingImports=false
# The libraries are in the client's own environment.
from types import SimpleNamespace
from typing import Any

from llama_index.tools.mcp import BasicMCPClient, McpToolSpec

from tests.e2e.clients.scripts.session import visited
from tests.e2e.clients.scripts.visit import Task, Told, run


class _Plain:
    """The client's own methods, but for prompts, which it turns into messages of its framework."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    async def get_prompt(self, name: str, arguments: dict[str, str]) -> SimpleNamespace:
        messages = await self._client.get_prompt(name, arguments)
        texts = [SimpleNamespace(text=message.content) for message in messages]
        return SimpleNamespace(messages=[SimpleNamespace(content=text) for text in texts])


async def visit(task: Task) -> Told:
    """Through the client that its tool specifications are made from; an agent calls the tool that one makes."""
    client = BasicMCPClient(task.url, headers=task.headers)
    told = await visited(_Plain(client), task, None, (ExceptionGroup,))
    [tool] = await McpToolSpec(client, allowed_tools=[task.tool]).to_tool_list_async()
    refused = await tool.acall(**task.impossible)
    told.refusal = f"result: {refused.content}"
    return told


if __name__ == "__main__":
    run(visit)
