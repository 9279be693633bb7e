"""OpenAI's agents library: a server's tools alone, and within an agent whose model follows a script."""

# pyright: reportMissingImports=false, reportUntypedBaseClass=false
# The libraries are in the client's own environment.
import json
from typing import Any

from agents import Agent, Model, ModelResponse, Runner, Usage, set_tracing_disabled
from agents.mcp import MCPServerStreamableHttp
from mcp import MCPError
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

from tests.e2e.clients.scripts.client_run import Report, Task, run
from tests.e2e.clients.scripts.session import visited


class _Listing:
    """The server's own methods, but for the list of tools, which it gives without the result around it."""

    def __init__(self, server: Any) -> None:
        self._server = server
        self.tools: list[Any] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._server, name)

    async def list_tools(self) -> "_Listing":
        self.tools = await self._server.list_tools()
        return self


async def client_run(task: Task) -> Report:
    """Through the server object that an agent is given."""
    async with MCPServerStreamableHttp(params={"url": task.url, "headers": task.headers}) as server:
        reported = await visited(_Listing(server), task, None, (MCPError,))
        reported.refusal = f"result: {await _fed(server, task.tool, task.impossible)}"
        return reported


class _Scripted(Model):
    """A model that calls a tool once, and ends when it has read what the tool gave."""

    def __init__(self, tool: str, arguments: dict[str, Any]) -> None:
        self._call = (tool, json.dumps(arguments))
        self.read: list[Any] = []

    async def get_response(self, **requested: Any) -> Any:
        self.read = [each for each in requested["input"] if each.get("type") == "function_call_output"]
        if self.read:
            text = ResponseOutputText(type="output_text", text="Done.", annotations=[])
            message = ResponseOutputMessage(
                id="m", type="message", role="assistant", status="completed", content=[text]
            )
            return ModelResponse(output=[message], usage=Usage(), response_id=None)
        name, arguments = self._call
        call = ResponseFunctionToolCall(type="function_call", call_id="c", name=name, arguments=arguments)
        return ModelResponse(output=[call], usage=Usage(), response_id=None)

    def stream_response(self, **_requested: Any) -> Any:
        raise NotImplementedError


async def _fed(server: Any, tool: str, arguments: dict[str, Any]) -> str:
    """Run an agent whose model calls the tool, and return the output that the model is given."""
    set_tracing_disabled(disabled=True)
    model = _Scripted(tool, arguments)
    await Runner.run(Agent("agent", model=model, mcp_servers=[server]), "Search.")
    [output] = model.read
    return json.dumps(output["output"])


if __name__ == "__main__":
    run(client_run)
