"""fastmcp: finds out which era the server speaks."""

# pyright: reportMissingImports=false
# The library is in the client's own environment.
from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport
from fastmcp.exceptions import ToolError
from mcp import MCPError

from tests.e2e.clients.scripts.session import failing
from tests.e2e.clients.scripts.visit import UNKNOWN_TOOL, Task, Told, address_of, pictures_of, run, text_of


async def visit(task: Task) -> Told:
    """Through `Client`, whose methods give what the results hold."""
    async with Client(StreamableHttpTransport(task.url, headers=task.headers)) as client:
        told = Told(client.protocol_version, tools=[tool.name for tool in await client.list_tools()])
        told.error = await failing(client.call_tool(UNKNOWN_TOOL, {}), (ToolError, MCPError))
        result = await client.call_tool(task.tool, task.arguments)
        told.answer, told.structured = text_of(result.content), result.structured_content
        told.blocks = [block.type for block in result.content]
        refused = client.call_tool(task.tool, task.impossible, raise_on_error=False)
        told.refusal = await failing(refused, (ToolError, MCPError))
        if task.pictures:
            told.pictures = pictures_of((await client.call_tool(*task.pictures)).content)
        if not task.has_library:
            return told
        resources = await client.list_resources()
        told.resources = [resource.name for resource in resources]
        told.resource = text_of(await client.read_resource(address_of(resources, task.document)))
        told.prompts = [prompt.name for prompt in await client.list_prompts()]
        filled = await client.get_prompt(*task.prompt)
        told.prompt = text_of(message.content for message in filled.messages)
        return told


if __name__ == "__main__":
    run(visit)
