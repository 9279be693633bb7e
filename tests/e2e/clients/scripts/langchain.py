"""LangChain's adapters: every use opens a session of its own; results are converted as an agent converts them."""

# pyright: reportMissingImports=false
# The libraries are in the client's own environment.
from typing import Any

from langchain_core.messages import convert_to_openai_data_block, is_data_content_block
from langchain_mcp_adapters.client import MultiServerMCPClient

from tests.e2e.clients.scripts.client_run import Report, Task, address_of, run

_SERVER = "groundwire"


async def client_run(task: Task) -> Report:
    """Through its tools, as an agent calls them; the session is for what the adapters themselves do not list."""
    client = MultiServerMCPClient(
        {_SERVER: {"transport": "streamable_http", "url": task.url, "headers": task.headers}},
    )
    tools = {tool.name: tool for tool in await client.get_tools()}
    reported = Report(tools=list(tools))
    refused = await tools[task.tool].ainvoke(_requested_by_a_model(task.tool, task.impossible))
    reported.error = reported.refusal = f"{'result' if refused.status == 'error' else ''}: {_text(_fed(refused))}"
    answer = _fed(await tools[task.tool].ainvoke(_requested_by_a_model(task.tool, task.arguments)))
    reported.answer, reported.blocks = _text(answer), [block["type"] for block in answer]
    async with client.session(_SERVER) as session:
        resources = (await session.list_resources()).resources
    reported.resources = [resource.name for resource in resources]
    [read] = await client.get_resources(_SERVER, uris=str(address_of(resources, task.document)))
    reported.resource = read.as_string()
    async with client.session(_SERVER) as session:
        prompts = (await session.list_prompts()).prompts
    reported.prompts = [prompt.name for prompt in prompts]
    name, arguments = task.prompt
    messages = await client.get_prompt(_SERVER, name, arguments=arguments)
    reported.prompt = "\n".join(str(message.content) for message in messages)
    return reported


def _requested_by_a_model(tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    return {"type": "tool_call", "id": "1", "name": tool, "args": arguments}


def _fed(message: Any) -> list[Any]:
    """Convert the blocks to those of OpenAI's chat API, as an agent does; a block that the API lacks raises."""
    blocks = [message.content] if isinstance(message.content, str) else message.content
    blocks = [{"type": "text", "text": block} if isinstance(block, str) else block for block in blocks]
    return [convert_to_openai_data_block(block) if is_data_content_block(block) else block for block in blocks]


def _text(blocks: list[Any]) -> str:
    return "\n".join(block.get("text", "") for block in blocks)


if __name__ == "__main__":
    run(client_run)
