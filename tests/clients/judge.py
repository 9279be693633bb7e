"""Whether what a client got is what it should have got; told from the client's own words and from the wire."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

from tests.clients.company import Caller
from tests.clients.relay import Exchange

Part = Literal["wire", "list", "call", "error", "resources", "prompts"]
PARTS: Final[tuple[Part, ...]] = get_args(Part)
TOOL: Final = "rag_search"
_REASONS: Final = ("Unknown tool", "search_phrases must hold 1 to 5 phrases")
"""The server's words for a tool that is not there, and for an argument that cannot be."""
_HELD_IN: Final[tuple[tuple[Part, str], ...]] = (("resources", "resource"), ("prompts", "prompt"))
_SERVER_FAULT: Final = 500


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that is wrong.

    Attributes:
        part: the column of the table that it spoils.
    """

    part: Part
    text: str


def faults_of(told: dict[str, Any], caller: Caller, features: frozenset[str]) -> Iterator[Fault]:
    """What is wrong with what a client got for this caller; `features` are those that it must have used."""
    if TOOL not in told["tools"]:
        yield Fault("list", f"{caller.name}: listed {told['tools']}, without {TOOL}")
    if caller.expected not in told["answer"]:
        yield Fault("call", f"{caller.name}: the answer lacks {caller.expected!r}: {told['answer'][:500]}")
    if not any(reason in told["error"] for reason in _REASONS):
        yield Fault("error", f"{caller.name}: the impossible call ended with {told['error']!r}")
    for text in caller.forbidden:
        if text in json.dumps(told, ensure_ascii=False):
            yield Fault("call", f"{caller.name}: was shown {text!r}")
    for part, content in _HELD_IN:
        if part in features and not (told.get(part) and told.get(content)):
            yield Fault(part, f"{caller.name}: got no {part}: {told.get(part)}, {told.get(content)!r}")


def faults_on_the_wire(exchanges: Sequence[Exchange], callers: Sequence[Caller]) -> Iterator[Fault]:
    """What is wrong with single requests and their answers."""
    for exchange in exchanges:
        what = f"{exchange.verb} {exchange.message.get('method', '')}"
        if exchange.status >= _SERVER_FAULT:
            yield Fault("wire", f"{what} was answered with {exchange.status}")
        # What asks for metadata before it connects says nothing of anybody.
        if exchange.verb == "POST" and not any(_brought(caller, exchange) for caller in callers):
            yield Fault("wire", f"{what} did not bring the headers of its caller")


def _brought(caller: Caller, exchange: Exchange) -> bool:
    return all(exchange.headers.get(name.lower()) == value for name, value in caller.headers.items())
