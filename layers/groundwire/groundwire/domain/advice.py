"""The list that shows which names exist, by kind of thing: a command on a terminal, a route over REST."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from groundwire.domain.errors import Listed, NotFound, Problem

Advice = Mapping[Listed, str]
"""A sentence for each kind of thing that the interface lists."""

NONE: Final[Advice] = MappingProxyType({})
"""For an interface that adds nothing to a message."""
COMMANDS: Final[Advice] = MappingProxyType(
    {
        "tenant": "`groundwire tenant list` names them.",
        "collection": "`groundwire collection list` names them.",
        "document": "`groundwire documents list` names them.",
        "key": "`groundwire key list` names them.",
    }
)
ROUTES: Final[Advice] = MappingProxyType(
    {
        "collection": "GET /v1/collections lists them.",
        "document": "GET /v1/documents lists them.",
        "key": "GET /v1/keys lists them.",
    }
)
"""No route lists tenants: each key has one."""


def advised(problem: Problem, advice: Advice) -> str:
    """Return the message of a problem, with the interface's advice where it has some."""
    sentence = advice.get(problem.listed) if isinstance(problem, NotFound) and problem.listed else None
    return f"{problem} {sentence}" if sentence else str(problem)


def not_found(message: str, advice: Advice) -> NotFound:
    """Return the problem of a message to which another process has added this advice."""
    for listed, sentence in advice.items():
        if message.endswith(f" {sentence}"):
            return NotFound(message.removesuffix(f" {sentence}"), listed)
    return NotFound(message)
