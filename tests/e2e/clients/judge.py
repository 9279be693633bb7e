"""Whether what a client got is what it should have got; told from the client's own words and from the wire."""

import json
from base64 import b64decode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

from tests.e2e.clients.catalogue import Client
from tests.e2e.clients.company import Caller
from tests.e2e.clients.interfaces import DEFAULT, Interface
from tests.e2e.clients.relay import Exchange

Part = Literal["wire", "list", "call", "error", "resources", "prompts"]
PARTS: Final[tuple[Part, ...]] = get_args(Part)
TOOL: Final = DEFAULT.tool
PROMPT: Final = "answer_with_citations"
_UNKNOWN_TOOL: Final = "Unknown tool"
_OF_THE_LIBRARY: Final[frozenset[Part]] = frozenset({"resources", "prompts"})
_TEXTS: Final[tuple[tuple[Part, str], ...]] = (("call", "answer"), ("resources", "resource"), ("prompts", "prompt"))
"""Parts of what a client got, all of which hold what the caller may read."""
_SERVER_FAULT: Final = 500
_SHOWN: Final = 500
_PNG: Final = b"\x89PNG\r\n\x1a\n"


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that is wrong.

    Attributes:
        part: the column of the table that it spoils.
    """

    part: Part
    text: str


def has_part(client: Client, part: Part) -> bool:
    """Return whether the client meets this part of the server."""
    return client.interface.has_library or part not in _OF_THE_LIBRARY


def faults_of(told: dict[str, Any], caller: Caller, interface: Interface = DEFAULT) -> Iterator[Fault]:
    """Yield the faults of what a client got for this caller."""
    left_out = frozenset[Part]() if interface.has_library else _OF_THE_LIBRARY
    lists: tuple[tuple[Part, str, str], ...] = (
        ("list", "tools", interface.tool),
        ("resources", "resources", caller.document),
        ("prompts", "prompts", PROMPT),
    )
    for part, listed, name in lists:
        if part not in left_out and name not in told[listed]:
            yield Fault(part, f"{caller.name}: listed {told[listed]}, without {name}")
    if not any(reason in told["error"] for reason in (_UNKNOWN_TOOL, interface.refusal)):
        yield Fault("error", f"{caller.name}: the impossible call ended with {told['error']!r}")
    yield from _faults_for_a_model(told, caller, interface)
    yield from _faults_of_pictures(told, caller, interface)
    for part, text in _TEXTS:
        if part not in left_out and caller.expected not in told[text]:
            yield Fault(part, f"{caller.name}: {text} lacks {caller.expected!r}: {told[text][:_SHOWN]}")
    for text in caller.forbidden:
        if text in json.dumps(told, ensure_ascii=False):
            yield Fault("call", f"{caller.name}: was shown {text!r}")


def _faults_of_pictures(told: dict[str, Any], caller: Caller, interface: Interface) -> Iterator[Fault]:
    if interface.pictures is None:
        return
    types = [block for block, _ in told["pictures"]]
    if types != ["text", "image"]:
        yield Fault("call", f"{caller.name}: the answer with a picture came as {types}")
    elif not b64decode(told["pictures"][1][1]).startswith(_PNG):
        yield Fault("call", f"{caller.name}: the picture is no PNG file")


def _faults_for_a_model(told: dict[str, Any], caller: Caller, interface: Interface) -> Iterator[Fault]:
    """Name what a model behind the client cannot act on, or cannot be given."""
    is_result = told["refusal"].startswith("result: ")
    if is_result != interface.errors_are_results or interface.refusal not in told["refusal"]:
        yield Fault("error", f"{caller.name}: of wrong arguments the model is told {told['refusal']!r}")
    if set(told["blocks"]) != {"text"}:
        yield Fault("call", f"{caller.name}: the answer came as {told['blocks']}, not as text alone")


def faults_on_the_wire(exchanges: Sequence[Exchange], callers: Sequence[Caller]) -> Iterator[Fault]:
    """Yield the faults of single requests and their answers."""
    for exchange in exchanges:
        what = f"{exchange.verb} {exchange.message.get('method', '')}"
        if exchange.status >= _SERVER_FAULT:
            yield Fault("wire", f"{what} was answered with {exchange.status}")
        # What asks for metadata before it connects says nothing of anybody.
        if exchange.verb == "POST" and not any(_brought(caller, exchange) for caller in callers):
            yield Fault("wire", f"{what} did not bring the headers of its caller")


def _brought(caller: Caller, exchange: Exchange) -> bool:
    return all(exchange.headers.get(name.lower()) == value for name, value in caller.headers.items())
