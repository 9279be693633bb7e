"""What a script is asked to do, and what it tells; for every Python that a client runs on.

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
    """What to do for one caller.

    Attributes:
        mode: of the client, where it has several.
        features: `resources` and `prompts`, where the server has them.
        prompt_arguments: values by name, for the prompt that is listed first.
    """

    url: str
    headers: dict[str, str]
    mode: str
    tool: str
    arguments: dict[str, Any]
    features: list[str]
    prompt_arguments: dict[str, str]

    def chosen(self, arguments: Any) -> dict[str, str]:
        """Values for the arguments of a prompt, given as the list that describes them."""
        return {each.name: self.prompt_arguments[each.name] for each in arguments or [] if each.required}


@dataclass
class Told:
    """What the client got.

    Attributes:
        version: the protocol's, as the client knows it; None when it does not say.
        answer: all text of the tool's result.
        structured: the tool's structured result, where the client passes it on.
        error: what came of an impossible call.
        resource: the text of the first resource; None when the client cannot read any, as with `prompt`.
    """

    version: str | None = None
    tools: list[str] = field(default_factory=list)
    answer: str = ""
    structured: Any = None
    error: str = ""
    resources: list[str] | None = None
    resource: str | None = None
    prompts: list[str] | None = None
    prompt: str | None = None


def text_of(blocks: Any) -> str:
    """The texts among content blocks or resource contents, given as objects."""
    return "\n".join(str(block.text) for block in blocks if getattr(block, "text", None))


def run(visit: Callable[[Task], Awaitable[Told]]) -> None:
    """Does the task for each caller, one after the other, each with a client of their own."""
    task = json.load(sys.stdin)
    for headers in task.pop("callers"):
        told = asyncio.run(_awaited(visit(Task(headers=headers, **task))))
        sys.stdout.write(json.dumps(asdict(told)) + "\n")


async def _awaited(visiting: Awaitable[Told]) -> Told:
    return await visiting
