"""The inspector's command line: a process for each question, and a judge of the tools' schemas."""

import asyncio
import json
import os
from collections.abc import Awaitable, Callable
from typing import Any, Final

from tests.e2e.clients.environments import environment
from tests.e2e.clients.scripts.client_run import Report, Task, run
from tests.support.engines.installers.node import NODE

_PROGRAM: Final = "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js"
_AT_ONCE: Final = 2
_TOOL_ERROR: Final = 5
"""The exit code after a result with `isError`, which is printed like any other."""
Request = Callable[..., Awaitable[tuple[int, Any]]]
"""A question's words to the exit code, and the result or the error."""


async def client_run(task: Task) -> Report:
    """Every question is one of its processes; a few at once, as each takes a second to start."""
    places = asyncio.Semaphore(_AT_ONCE)

    async def requested(*question: str) -> tuple[int, Any]:
        async with places:
            return await _ask(task, question)

    (_, tools), (_, called), (code, refused) = await asyncio.gather(
        requested("tools/list", "--strict"),
        requested("tools/call", "--tool-name", task.tool, "--tool-args-json", json.dumps(task.arguments)),
        requested("tools/call", "--tool-name", task.tool, "--tool-args-json", json.dumps(task.impossible)),
    )
    reported = Report(
        tools=[tool["name"] for tool in tools["tools"]],
        answer=_text(called["content"]),
        blocks=[block["type"] for block in called["content"]],
        structured=called["structuredContent"],
    )
    reported.error = reported.refusal = (
        f"result: {_text(refused['content'])}" if code == _TOOL_ERROR else f"{code}: {refused}"
    )
    await asyncio.gather(_read(requested, task, reported), _fill(requested, task, reported))
    return reported


async def _read(requested: Request, task: Task, reported: Report) -> None:
    _, listed = await requested("resources/list")
    reported.resources = [resource["name"] for resource in listed["resources"]]
    [uri] = [resource["uri"] for resource in listed["resources"] if resource["name"] == task.document]
    _, read = await requested("resources/read", "--uri", uri)
    reported.resource = _text(read["contents"])


async def _fill(requested: Request, task: Task, reported: Report) -> None:
    name, arguments = task.prompt
    pairs = [f"{each}={value}" for each, value in arguments.items()]
    (_, listed), (_, filled) = await asyncio.gather(
        requested("prompts/list"), requested("prompts/get", "--prompt-name", name, "--prompt-args", *pairs)
    )
    reported.prompts = [prompt["name"] for prompt in listed["prompts"]]
    reported.prompt = _text([message["content"] for message in filled["messages"]])


async def _ask(task: Task, question: tuple[str, ...]) -> tuple[int, Any]:
    """The exit code, and the result or the error."""
    headers = [part for name, value in task.headers.items() for part in ("--header", f"{name}: {value}")]
    process = await asyncio.create_subprocess_exec(
        *(str(NODE), str(environment("inspector") / _PROGRAM), "--cli", task.url, "--transport", "http", "--quiet"),
        *("--format", "json", "--protocol-era", task.mode, *headers, "--method", *question),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=dict(os.environ),
    )
    out, err = await process.communicate()
    if process.returncode and "--strict" in question:
        raise SystemExit(f"--strict ends with {process.returncode}: {err.decode()}")
    if process.returncode and process.returncode != _TOOL_ERROR:
        return process.returncode, json.loads(err)["error"]
    return process.returncode or 0, json.loads(out)["result"]


def _text(blocks: list[dict[str, Any]]) -> str:
    return "\n".join(block.get("text", "") for block in blocks)


if __name__ == "__main__":
    run(client_run)
