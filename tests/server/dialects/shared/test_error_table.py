"""The table of errors by dialect in docs/protocol.md, cell by cell."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from groundwire.dialects import DIALECTS
from groundwire.dialects.declaration.dialect import toolsets
from groundwire.domain.errors import DomainError, InvalidInput, Unavailable
from tests.server.dialects.shared.conftest import ToyWorld
from tests.support.worlds.exchange import exchange
from tests.support.worlds.world import Answer

ROOT: Final = Path(__file__).resolve().parents[4]
UNMARKED: Final = "no MCP marker"
BROKEN: Final = {
    "the tool fails": InvalidInput("/srv/home has another model"),
    "a part of the service does not answer": Unavailable("/srv/home is full", 7),
}
SEARCHES: Final = {"openai": ("search", {"query": "pumps"})}
RAG_SEARCH: Final = ("rag_search", {"search_phrases": ["pumps"]})


class Cell(NamedTuple):
    wire_error: str
    column: str
    stated: str


def cells() -> Iterator[Cell]:
    page = (ROOT / "docs" / "protocol.md").read_text()
    table = page.partition("### Errors by dialect\n")[2].partition("\n## ")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines() if line[:1] == "|"]
    columns = [name.strip("`") for name in rows[0][1:]]
    for wire_error, *stated in rows[2:]:
        for column, text in zip(columns, stated, strict=True):
            yield Cell(wire_error, column, text)


class BrokenCollections:
    def __init__(self, problem: DomainError) -> None:
        self._problem = problem

    def all(self, _tenant: str) -> list[Any]:
        raise self._problem


def body_of(cell: Cell) -> bytes:
    name, arguments = RAG_SEARCH if cell.column == UNMARKED else SEARCHES.get(cell.column, RAG_SEARCH)
    match cell.wire_error:
        case "the body is not JSON":
            return b'{"jsonrpc": "2.0", "id": 7,'
        case "an argument is wrong":
            arguments = dict.fromkeys(arguments, 7)
        case "the filter cannot be read":
            arguments = {**arguments, "filter": "year >="}
        case "the tool is unknown":
            name = "no_such_tool"
        case _:
            pass
    params = {"name": name, "arguments": arguments}
    return json.dumps({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params}).encode()


def form_of(answer: Answer) -> str:
    """Return the answer as the table puts it."""
    payload = json.loads(answer.response.body)
    given = {"absent": "no id", "None": "`id` null", "7": "its id"}[str(payload.get("id", "absent"))]
    if "error" in payload:
        return f"{answer.status}, error {payload['error']['code']}, {given}"
    kind = "result with `isError`" if payload["result"]["isError"] else "result"
    return f"{answer.status}, {kind}, {given}"


def test_each_dialect_has_its_column() -> None:
    assert {cell.column for cell in cells()} == {*toolsets(DIALECTS), UNMARKED}


@pytest.mark.parametrize(
    "cell", list(cells()), ids=lambda cell: re.sub(r"\W+", " ", f"{cell.wire_error} {cell.column}")
)
def test_an_error_has_the_form_that_the_table_states(world: ToyWorld, cell: Cell) -> None:
    world.switch_on(*(dialect.name for dialect in DIALECTS))
    tenant = world.tenant("amber")
    toolset = "default" if cell.column == UNMARKED else cell.column
    key = world.acting_key(tenant, toolset=toolset).secret.reveal()
    mark = {} if cell.column == UNMARKED else {"mcp-protocol-version": "2025-11-25"}
    headers = {"content-type": "application/json", "authorization": f"Bearer {key}", **mark}
    if cell.wire_error == "no key":
        del headers["authorization"]
    if cell.wire_error == "the rate of the key is spent":
        slow = world.slow_key(tenant, toolset)
        headers["authorization"] = f"Bearer {slow.secret.reveal()}"
        assert "error" not in world.request("POST", "/mcp", headers, body_of(cell)).payload
    if problem := BROKEN.get(cell.wire_error):
        exchange(world.services, collections=BrokenCollections(problem))
    assert form_of(world.request("POST", "/mcp", headers, body_of(cell))) == cell.stated
