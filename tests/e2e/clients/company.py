"""Test environment of the clients: a server over a small home, and two callers whose answers exclude each other."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.support.documents.png_file import page_with_png
from tests.support.entry.command import Command
from tests.support.entry.demo_server import started

CLOSED: Final = "board"
SALES_USER: Final = "elif@weirhaven.example"
FINANCE_USER: Final = "noor@weirhaven.example"
_SALES: Final = "An account manager may give 7 percent off a Sandpiper without asking anybody."
_FINANCE: Final = "No Sandpiper leaves the house below its floor price of 41,300 euro."
_DOCUMENTS: Final = {
    "discounts.md": (f"# Discounts\n\n{_SALES}\n", ("--any-tag", "department:sales")),
    "floor-prices.md": (f"# Floor prices\n\n{_FINANCE}\n", ("--any-tag", "department:finance")),
    "handbook.md": ("# Handbook\n\nThe price list is in the hall. A Sandpiper has a list price.\n", ("--public",)),
    "warehouse.md": (page_with_png("Warehouse", "The loading bay of the warehouse"), ("--public",)),
    "board.md": (
        "# Board\n\nThe Sandpiper line is sold to Weirhaven in spring.\n",
        ("--user", "aldo@weirhaven.example"),
    ),
}
_SECRET: Final = ("board.md", "sold to Weirhaven in spring")
_UNHURRIED: Final = ("--rate", "100000", "--burst", "10000")


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody behind a client.

    Attributes:
        headers: all that the client sends for them, the key among it.
        document: the name of one that they may read.
        expected: stands in a passage of it, and answers `QUESTION`.
        forbidden: names of documents, and passages that answer it, too, that may reach them in no way.
    """

    name: str
    headers: dict[str, str]
    document: str
    expected: str
    forbidden: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Company:
    """A server that runs.

    Attributes:
        url: the server's, without path.
        callers: one by a key that acts for others and identity headers, one by a personal key.
        administrator: a personal key of the second one that may write definitions.
        personal_keys: of the callers, in their order, for clients that send no identity headers.
    """

    url: str
    callers: tuple[Caller, ...]
    administrator: str
    personal_keys: tuple[str, ...]


@contextmanager
def open_company(folder: Path) -> Generator[Company]:
    """The server until the end of the block; everything that it keeps is in `folder`."""
    command = Command(folder / "home", {})
    tenant = command.tenant("weirhaven")
    for name, (text, readers) in _DOCUMENTS.items():
        file = folder / name
        file.write_text(text, encoding="utf-8")
        command.ingest(tenant, file, *readers)
        if name == "board.md":
            # A collection that does not exist for the callers.
            command.ingest(tenant, file, "--collection", CLOSED, *readers)
    acting = command.acting_key(tenant, *_UNHURRIED)
    noor = (FINANCE_USER, "--tag", "department:finance")
    personal = command.personal_key(tenant, *noor, *_UNHURRIED)
    administrator = command.personal_key(tenant, *noor, "--scope", "admin", *_UNHURRIED)
    of_sales = command.personal_key(tenant, SALES_USER, "--tag", "department:sales", *_UNHURRIED)
    with started(folder / "home", "serve") as server:
        yield Company(server.url, (_in_sales(acting), _in_finance(personal)), administrator, (of_sales, personal))


def _in_sales(key: str) -> Caller:
    identity = {"X-User-Id": SALES_USER, "X-Session-Tags": '["department:sales"]'}
    headers = {"Authorization": f"Bearer {key}", **identity}
    return Caller("acts for others", headers, "discounts.md", _SALES, ("floor-prices.md", _FINANCE, *_SECRET))


def _in_finance(key: str) -> Caller:
    headers = {"Authorization": f"Bearer {key}"}
    return Caller("personal", headers, "floor-prices.md", _FINANCE, ("discounts.md", _SALES, *_SECRET))
