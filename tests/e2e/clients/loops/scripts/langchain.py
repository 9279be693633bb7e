"""LangChain: its ready-made agent with the tools of its adapters, over three APIs of models."""

# pyright: reportMissingImports=false
# The libraries are in the client's own environment.
from typing import Any

from langchain.agents import create_agent
from langchain_anthropic import ChatAnthropic
from langchain_mcp_adapters.client import MultiServerMCPClient
from langchain_openai import ChatOpenAI

from tests.e2e.clients.loops.scripts.looping import Case, run


async def ask(case: Case) -> str:
    """Ask the agent; every call of a tool opens a session of its own."""
    connection = {"transport": "streamable_http", "url": case.url, "headers": case.headers}
    tools = await MultiServerMCPClient({"groundwire": connection}).get_tools()
    agent = create_agent(_model(case), tools)
    state = await agent.ainvoke({"messages": [("user", case.question)]})
    return str(state["messages"][-1].text)


def _model(case: Case) -> Any:
    if case.mode == "anthropic":
        return ChatAnthropic(
            model="claude-sonnet-4-5", base_url=case.model_url, api_key="none", max_retries=0, streaming=True
        )
    responses = case.mode == "responses"
    url = f"{case.model_url}/v1"
    return ChatOpenAI(model="gpt-5", base_url=url, api_key="none", max_retries=0, use_responses_api=responses)


if __name__ == "__main__":
    run(ask)
