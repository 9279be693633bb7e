"""pydantic-ai."""

# pyright: reportMissingImports=false
# The libraries are in the client's own environment.
from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

from tests.e2e.clients.loops.scripts.looping import Case, run


async def ask(case: Case) -> str:
    """Ask an agent that has the server's tools."""
    model = OpenAIChatModel("gpt-5", provider=OpenAIProvider(base_url=f"{case.model_url}/v1", api_key="none"))
    agent = Agent(model, toolsets=[MCPToolset(case.url, headers=case.headers)])
    async with agent:
        ended = await agent.run(case.question)
    return str(ended.output)


if __name__ == "__main__":
    run(ask)
