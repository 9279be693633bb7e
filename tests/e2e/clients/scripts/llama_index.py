"""LlamaIndex: every use opens a session of its own."""

# pyright: reportMissingImports=false
# The libraries are in the client's own environment.
from types import SimpleNamespace
from typing import Any

from llama_index.tools.mcp import BasicMCPClient, McpToolSpec

from tests.e2e.clients.scripts.client_run import Report, Task, run
from tests.e2e.clients.scripts.session import visited


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


async def client_run(task: Task) -> Report:
    """Through the client that its tool specifications are made from; an agent calls the tool that one makes."""
    client = BasicMCPClient(task.url, headers=task.headers)
    reported = await visited(_Plain(client), task, None, (ExceptionGroup,))
    [tool] = await McpToolSpec(client, allowed_tools=[task.tool]).to_tool_list_async()
    refused = await tool.acall(**task.impossible)
    reported.refusal = f"result: {refused.content}"
    return reported


if __name__ == "__main__":
    run(client_run)
