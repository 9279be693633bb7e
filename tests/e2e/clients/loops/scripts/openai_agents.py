"""OpenAI's agents library."""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false
# The libraries are in the client's own environment.
from agents import Agent, OpenAIChatCompletionsModel, OpenAIResponsesModel, Runner, set_tracing_disabled
from agents.mcp import MCPServerStreamableHttp
from openai import AsyncOpenAI

from tests.e2e.clients.loops.scripts.looping import Case, run


async def ask(case: Case) -> str:
    """Ask an agent that has the server's tools."""
    set_tracing_disabled(disabled=True)
    api = AsyncOpenAI(base_url=f"{case.model_url}/v1", api_key="none", max_retries=0)
    kind = OpenAIResponsesModel if case.mode == "responses" else OpenAIChatCompletionsModel
    async with MCPServerStreamableHttp(params={"url": case.url, "headers": case.headers}) as server:
        agent = Agent("agent", model=kind("gpt-5", api), mcp_servers=[server])
        ended = await Runner.run(agent, case.question)
        return str(ended.final_output)


if __name__ == "__main__":
    run(ask)
