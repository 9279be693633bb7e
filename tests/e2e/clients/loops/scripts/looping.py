"""Task and report of a script, for every Python that a library runs on.

Cases come as JSON on standard input. For each a line of JSON goes to standard output: how the agent's run ended. What
its model was fed is known to the model's server.
"""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass


@dataclass
class Case:
    """One run of an agent.

    Attributes:
        mode: the API in which the library calls its model, where it speaks several.
        url: of the MCP endpoint.
        headers: what the client sends with every request to it.
        model_url: of the model's server, without a version.
        question: the user's words.
    """

    name: str
    mode: str
    url: str
    headers: dict[str, str]
    model_url: str
    question: str


def run(ask: Callable[[Case], Awaitable[str]]) -> None:
    """Run the agent for each case in order, and report its final answer or the error that ended it."""
    for given in json.load(sys.stdin):
        case = Case(**given)
        reported = {"name": case.name, "said": "", "raised": ""}
        try:
            reported["said"] = asyncio.run(_awaited(ask(case)))
        except Exception as error:  # noqa: BLE001 - what ends the run of an agent is what is measured
            reported["raised"] = _words(error)
        sys.stdout.write(json.dumps(reported) + "\n")


def _words(error: BaseException) -> str:
    """Return the message of an error; of an exception group, the messages of its parts."""
    inner: tuple[BaseException, ...] = getattr(error, "exceptions", ())
    return "; ".join(map(_words, inner)) or f"{type(error).__name__}: {error}"


async def _awaited(asking: Awaitable[str]) -> str:
    return await asking
