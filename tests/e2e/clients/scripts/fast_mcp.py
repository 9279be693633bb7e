"""fastmcp: finds out which era the server speaks."""

# pyright: reportMissingImports=false
# The library is in the client's own environment.
from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport
from fastmcp.exceptions import ToolError
from mcp import MCPError

from tests.e2e.clients.scripts.client_run import UNKNOWN_TOOL, Report, Task, address_of, pictures_of, run, text_of
from tests.e2e.clients.scripts.session import failing


async def client_run(task: Task) -> Report:
    """Through `Client`, whose methods give what the results hold."""
    async with Client(StreamableHttpTransport(task.url, headers=task.headers)) as client:
        reported = Report(client.protocol_version, tools=[tool.name for tool in await client.list_tools()])
        reported.error = await failing(client.call_tool(UNKNOWN_TOOL, {}), (ToolError, MCPError))
        result = await client.call_tool(task.tool, task.arguments)
        reported.answer, reported.structured = text_of(result.content), result.structured_content
        reported.blocks = [block.type for block in result.content]
        refused = client.call_tool(task.tool, task.impossible, raise_on_error=False)
        reported.refusal = await failing(refused, (ToolError, MCPError))
        if task.pictures:
            reported.pictures = pictures_of((await client.call_tool(*task.pictures)).content)
        if not task.has_library:
            return reported
        resources = await client.list_resources()
        reported.resources = [resource.name for resource in resources]
        reported.resource = text_of(await client.read_resource(address_of(resources, task.document)))
        reported.prompts = [prompt.name for prompt in await client.list_prompts()]
        filled = await client.get_prompt(*task.prompt)
        reported.prompt = text_of(message.content for message in filled.messages)
        return reported


if __name__ == "__main__":
    run(client_run)
