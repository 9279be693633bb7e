"""Task and report of a script, for every Python that a client runs on.

A task comes as JSON on standard input. For each caller a line of JSON goes to standard output: what the client got.
Whether that is right is judged by whoever started the script.
"""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass, field
from typing import Any

UNKNOWN_TOOL = "no_such_tool"


@dataclass
class Task:
    """Task for one caller.

    Attributes:
        mode: of the client, where it has several.
        document: the name of the resource to read.
        prompt: the name of one, and its arguments.
        impossible: arguments that the tool refuses.
        has_library: there are resources and prompts to read.
        pictures: a tool and its arguments, to which the answer has pictures; None: there is none.
    """

    url: str
    headers: dict[str, str]
    document: str
    mode: str
    tool: str
    arguments: dict[str, Any]
    prompt: tuple[str, dict[str, str]]
    impossible: dict[str, Any]
    has_library: bool = True
    pictures: tuple[str, dict[str, Any]] | None = None


@dataclass
class Report:
    """Report of what the client got.

    Attributes:
        version: the protocol's, as the client knows it; None when it does not say.
        answer: all text of the tool's result.
        blocks: the types of the blocks that the text is in.
        structured: the tool's structured result, where the client passes it on.
        error: what came of a call of no tool, or of one with arguments that cannot be.
        refusal: the text that a model is given after wrong arguments, behind "result: ".
        resources: the names of all.
        resource: the text of the one to read.
        prompts: the names of all.
        prompt: the text of the one to fill in.
        pictures: the blocks of the answer with pictures, each its type and its content in base64.
    """

    version: str | None = None
    tools: list[str] = field(default_factory=list)
    answer: str = ""
    blocks: list[str] = field(default_factory=list)
    structured: Any = None
    error: str = ""
    refusal: str = ""
    resources: list[str] = field(default_factory=list)
    resource: str = ""
    prompts: list[str] = field(default_factory=list)
    prompt: str = ""
    pictures: list[tuple[str, str]] = field(default_factory=list)


def text_of(blocks: Any) -> str:
    """The texts among content blocks or resource contents, given as objects."""
    return "\n".join(str(block.text) for block in blocks if getattr(block, "text", None))


def pictures_of(blocks: Any) -> list[tuple[str, str]]:
    """The type of each content block, given as an object, and the content of a picture."""
    return [(block.type, getattr(block, "data", "")) for block in blocks]


def address_of(resources: Any, name: str) -> Any:
    """The URI of the resource with this name."""
    [found] = [resource.uri for resource in resources if resource.name == name]
    return found


def run(client_run: Callable[[Task], Awaitable[Report]]) -> None:
    """Does the task for each caller, one after the other, each with a client of their own."""
    task = json.load(sys.stdin)
    for caller in task.pop("callers"):
        reported = asyncio.run(_awaited(client_run(Task(**caller, **task))))
        sys.stdout.write(json.dumps(asdict(reported)) + "\n")


async def _awaited(visiting: Awaitable[Report]) -> Report:
    return await visiting
