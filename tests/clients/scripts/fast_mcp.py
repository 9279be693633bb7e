"""fastmcp: finds out which era the server speaks."""

# pyright: reportMissingImports=false
# The library is in the client's own environment.
from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport
from fastmcp.exceptions import ToolError
from mcp import MCPError

from tests.clients.scripts.session import failing
from tests.clients.scripts.visit import UNKNOWN_TOOL, Task, Told, run, text_of


async def visit(task: Task) -> Told:
    """Through `Client`, whose methods give what the results hold."""
    async with Client(StreamableHttpTransport(task.url, headers=task.headers)) as client:
        told = Told(client.protocol_version, tools=[tool.name for tool in await client.list_tools()])
        told.error = await failing(client.call_tool(UNKNOWN_TOOL, {}), (ToolError, MCPError))
        result = await client.call_tool(task.tool, task.arguments)
        told.answer, told.structured = text_of(result.content), result.structured_content
        if "resources" in task.features:
            resources = await client.list_resources()
            told.resources = [str(resource.uri) for resource in resources]
            told.resource = text_of(await client.read_resource(resources[0].uri))
        if "prompts" in task.features:
            prompts = await client.list_prompts()
            told.prompts = [prompt.name for prompt in prompts]
            filled = await client.get_prompt(prompts[0].name, task.chosen(prompts[0].arguments))
            told.prompt = text_of(message.content for message in filled.messages)
        return told


if __name__ == "__main__":
    run(visit)
