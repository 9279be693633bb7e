"""Task and report of an OpenSearch client's script, for every Python that a client runs on.

A task comes as JSON on standard input. For each caller a line of JSON goes to standard output.
"""

import asyncio
import json
import sys
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any

Report = dict[str, Any]
"""`tools`: names, in order; `version` of the protocol; `calls`: of each whether it is an error, and its text; `printed`
by the script of the page."""


@dataclass(frozen=True)
class Caller:
    """Somebody behind the client.

    Attributes:
        key: a personal one.
        headers: all headers of another key of theirs, which may act for others.
        calls: name, tool and arguments of each.
    """

    key: str
    headers: Mapping[str, str]
    calls: list[tuple[str, str, dict[str, Any]]]


@dataclass(frozen=True)
class Task:
    """Task for all callers.

    Attributes:
        url: the server's, without path.
        specification: address of the files from which tools are generated.
        mode: scheme of the key.
    """

    url: str
    specification: str
    mode: str

    @property
    def mcp(self) -> str:
        """Address of the MCP server."""
        return f"{self.url}/_plugins/_ml/mcp"

    @property
    def engine(self) -> str:
        """Address of the REST interface."""
        return f"{self.url}/opensearch"


Session = Callable[[Caller], AbstractAsyncContextManager[Any]]
"""A client of a caller, open: an object with the methods of `mcp.Client`."""
Sessions = Callable[[Task], AbstractAsyncContextManager[Session]]


def run(sessions: Sessions, failures: tuple[type[Exception], ...] = ()) -> None:
    """Does the calls of each caller, one after the other; `failures` are the classes by which the client raises."""
    given = json.load(sys.stdin)
    callers = [Caller(**each) for each in given.pop("callers")]
    for reported in asyncio.run(_reported(sessions, Task(**given), callers, failures)):
        sys.stdout.write(json.dumps(reported) + "\n")


async def _reported(
    sessions: Sessions, task: Task, callers: list[Caller], failures: tuple[type[Exception], ...]
) -> list[Report]:
    reported: list[Report] = []
    async with sessions(task) as session:
        for caller in callers:
            async with session(caller) as client:
                reported.append(await called(client, caller, failures))
    return reported


async def called(client: Any, caller: Caller, failures: tuple[type[Exception], ...]) -> Report:
    """The list of tools, and each call."""
    listed = await client.list_tools()
    tools = [tool.name for tool in getattr(listed, "tools", listed)]
    calls = {name: await _call(client, tool, arguments, failures) for name, tool, arguments in caller.calls}
    printed = getattr(client, "printed", None)
    return {"version": client.protocol_version, "tools": tools, "calls": calls, "printed": printed}


async def _call(
    client: Any, tool: str, arguments: dict[str, Any], failures: tuple[type[Exception], ...]
) -> tuple[bool, str]:
    try:
        result = await client.call_tool(tool, arguments)
    except failures as failure:
        return True, str(failure)
    [content] = result.content
    return result.is_error, content.text


async def lines_until(reader: asyncio.StreamReader, text: str) -> AsyncGenerator[str]:
    """The lines of a stream, up to the one that has a text."""
    while line := (await reader.readline()).decode():
        yield line
        if text in line:
            return
