"""Comparison of what a client got with what it should have got, from its own report and from the wire."""

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
_SERVER_ERROR: Final = 500
_SHOWN: Final = 500
_PNG: Final = b"\x89PNG\r\n\x1a\n"


@dataclass(frozen=True, slots=True)
class ErrorForm:
    """Something that is wrong.

    Attributes:
        part: the column of the table that it spoils.
    """

    part: Part
    text: str


def has_part(client: Client, part: Part) -> bool:
    """Return whether the client meets this part of the server."""
    return client.interface.has_library or part not in _OF_THE_LIBRARY


def errors_of(reported: dict[str, Any], caller: Caller, interface: Interface = DEFAULT) -> Iterator[ErrorForm]:
    """Yield the errors in what a client got for this caller."""
    left_out = frozenset[Part]() if interface.has_library else _OF_THE_LIBRARY
    lists: tuple[tuple[Part, str, str], ...] = (
        ("list", "tools", interface.tool),
        ("resources", "resources", caller.document),
        ("prompts", "prompts", PROMPT),
    )
    for part, listed, name in lists:
        if part not in left_out and name not in reported[listed]:
            yield ErrorForm(part, f"{caller.name}: listed {reported[listed]}, without {name}")
    if not any(reason in reported["error"] for reason in (_UNKNOWN_TOOL, interface.refusal)):
        yield ErrorForm("error", f"{caller.name}: the impossible call ended with {reported['error']!r}")
    yield from _errors_for_a_model(reported, caller, interface)
    yield from _errors_of_pictures(reported, caller, interface)
    for part, text in _TEXTS:
        if part not in left_out and caller.expected not in reported[text]:
            yield ErrorForm(part, f"{caller.name}: {text} lacks {caller.expected!r}: {reported[text][:_SHOWN]}")
    for text in caller.forbidden:
        if text in json.dumps(reported, ensure_ascii=False):
            yield ErrorForm("call", f"{caller.name}: was shown {text!r}")


def _errors_of_pictures(reported: dict[str, Any], caller: Caller, interface: Interface) -> Iterator[ErrorForm]:
    if interface.pictures is None:
        return
    types = [block for block, _ in reported["pictures"]]
    if types != ["text", "image"]:
        yield ErrorForm("call", f"{caller.name}: the answer with a picture came as {types}")
    elif not b64decode(reported["pictures"][1][1]).startswith(_PNG):
        yield ErrorForm("call", f"{caller.name}: the picture is no PNG file")


def _errors_for_a_model(reported: dict[str, Any], caller: Caller, interface: Interface) -> Iterator[ErrorForm]:
    """Name what a model behind the client cannot act on, or cannot be given."""
    is_result = reported["refusal"].startswith("result: ")
    if is_result != interface.errors_are_results or interface.refusal not in reported["refusal"]:
        yield ErrorForm("error", f"{caller.name}: of wrong arguments the model is told {reported['refusal']!r}")
    if set(reported["blocks"]) != {"text"}:
        yield ErrorForm("call", f"{caller.name}: the answer came as {reported['blocks']}, not as text alone")


def errors_on_the_wire(exchanges: Sequence[Exchange], callers: Sequence[Caller]) -> Iterator[ErrorForm]:
    """Yield the errors of single requests and their answers."""
    for exchange in exchanges:
        what = f"{exchange.verb} {exchange.message.get('method', '')}"
        if exchange.status >= _SERVER_ERROR:
            yield ErrorForm("wire", f"{what} was answered with {exchange.status}")
        # What asks for metadata before it connects says nothing of anybody.
        if exchange.verb == "POST" and not any(_ingested(caller, exchange) for caller in callers):
            yield ErrorForm("wire", f"{what} did not bring the headers of its caller")


def _ingested(caller: Caller, exchange: Exchange) -> bool:
    return all(exchange.headers.get(name.lower()) == value for name, value in caller.headers.items())
