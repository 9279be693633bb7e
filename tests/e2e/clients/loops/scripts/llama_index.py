"""LlamaIndex: its agent of function calls, which reads its model's answers as they stream."""

# pyright: reportMissingImports=false
# The libraries are in the client's own environment.
from llama_index.core.agent.workflow import FunctionAgent
from llama_index.llms.openai import OpenAI
from llama_index.tools.mcp import BasicMCPClient, McpToolSpec

from tests.e2e.clients.loops.scripts.looping import Case, run


async def ask(case: Case) -> str:
    """Ask an agent that has the server's tools; every call of one opens a session of its own."""
    tools = await McpToolSpec(BasicMCPClient(case.url, headers=case.headers)).to_tool_list_async()
    model = OpenAI(model="gpt-4o", api_base=f"{case.model_url}/v1", api_key="none", max_retries=0)
    return str(await FunctionAgent(tools=tools, llm=model).run(user_msg=case.question))


if __name__ == "__main__":
    run(ask)
