"""LangChain's adapters: every use opens a session of its own."""

# pyright: reportMissingImports=false
# The libraries are in the client's own environment.
from langchain_mcp_adapters.client import MultiServerMCPClient
from mcp import McpError

from tests.clients.scripts.session import failing
from tests.clients.scripts.visit import Task, Told, address_of, run

_SERVER = "groundwire"


async def visit(task: Task) -> Told:
    """Through its tools, as an agent calls them; the session is for what the adapters themselves do not list."""
    client = MultiServerMCPClient(
        {_SERVER: {"transport": "streamable_http", "url": task.url, "headers": task.headers}},
    )
    tools = {tool.name: tool for tool in await client.get_tools()}
    told = Told(tools=list(tools))
    impossible = task.arguments | {"search_phrases": []}
    told.error = await failing(tools[task.tool].ainvoke(impossible), (McpError,))
    answer = await tools[task.tool].ainvoke(task.arguments)
    told.answer = answer if isinstance(answer, str) else "\n".join(block.get("text", "") for block in answer)
    async with client.session(_SERVER) as session:
        resources = (await session.list_resources()).resources
    told.resources = [resource.name for resource in resources]
    [read] = await client.get_resources(_SERVER, uris=str(address_of(resources, task.document)))
    told.resource = read.as_string()
    async with client.session(_SERVER) as session:
        prompts = (await session.list_prompts()).prompts
    told.prompts = [prompt.name for prompt in prompts]
    name, arguments = task.prompt
    messages = await client.get_prompt(_SERVER, name, arguments=arguments)
    told.prompt = "\n".join(str(message.content) for message in messages)
    return told


if __name__ == "__main__":
    run(visit)
