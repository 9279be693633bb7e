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
PROMPT: Final = "answer_with_citations"
_BAD_ARGUMENT: Final = "search_phrases must hold 1 to 5 phrases"
_REASONS: Final = ("Unknown tool", _BAD_ARGUMENT)
"""The server's words for a tool that is not there, and for an argument that cannot be."""
_TEXTS: Final[tuple[tuple[Part, str], ...]] = (("call", "answer"), ("resources", "resource"), ("prompts", "prompt"))
"""What a client got of each part, all of which hold what the caller may read."""
_SERVER_FAULT: Final = 500
_SHOWN: Final = 500


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that is wrong.

    Attributes:
        part: the column of the table that it spoils.
    """

    part: Part
    text: str


def faults_of(told: dict[str, Any], caller: Caller) -> Iterator[Fault]:
    """What is wrong with what a client got for this caller."""
    lists: tuple[tuple[Part, str, str], ...] = (
        ("list", "tools", TOOL),
        ("resources", "resources", caller.document),
        ("prompts", "prompts", PROMPT),
    )
    for part, listed, name in lists:
        if name not in told[listed]:
            yield Fault(part, f"{caller.name}: listed {told[listed]}, without {name}")
    if not any(reason in told["error"] for reason in _REASONS):
        yield Fault("error", f"{caller.name}: the impossible call ended with {told['error']!r}")
    yield from _faults_for_a_model(told, caller)
    for part, text in _TEXTS:
        if caller.expected not in told[text]:
            yield Fault(part, f"{caller.name}: {text} lacks {caller.expected!r}: {told[text][:_SHOWN]}")
    for text in caller.forbidden:
        if text in json.dumps(told, ensure_ascii=False):
            yield Fault("call", f"{caller.name}: was shown {text!r}")


def _faults_for_a_model(told: dict[str, Any], caller: Caller) -> Iterator[Fault]:
    """Name what a model behind the client cannot act on, or cannot be given."""
    if not (told["refusal"].startswith("result: ") and _BAD_ARGUMENT in told["refusal"]):
        yield Fault("error", f"{caller.name}: of wrong arguments the model is told {told['refusal']!r}")
    if set(told["blocks"]) != {"text"}:
        yield Fault("call", f"{caller.name}: the answer came as {told['blocks']}, not as text alone")


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
