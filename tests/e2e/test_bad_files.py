"""Files that cannot be read are refused with their reason, odd names are only names, and the rest goes on."""

import os
import random
from pathlib import Path
from typing import Any

import pytest

from groundwire.services.ingest.request import IngestStatus
from tests.e2e.company import PUBLIC, PUMP, Company
from tests.support.documents.pdf import pdf
from tests.support.entry.command import Command

REFUSED: dict[str, tuple[bytes, str]] = {
    "empty.pdf": (b"", "0 bytes"),
    "random.pdf": (random.Random(1).randbytes(5000), "binary data"),
    "random.docx": (random.Random(2).randbytes(5000), "binary data"),
    "random.txt": (random.Random(3).randbytes(5000), "binary data"),
    "locked.pdf": (pdf([[(11, "secret")]], encrypted=True), "encrypted"),
    "page-named-as-word.docx": (b"<html><p>The blue pump.</p></html>", "HTML"),
    "cut.pdf": (pdf([[(11, "The blue pump.")]])[:60], "damaged"),
}
LEFT_OUT = {"program.exe": b"MZ", "no-extension": PUMP.encode()}
"""Files of types that are not read."""
ODD_NAMES = {
    b"caf\xe9 \xff.md": r"caf\xe9 \xff.md",
    b"a..md": "a..md",
    b"[red]name[bold].md": "[red]name[bold].md",
    b"two\nlines.md": "two lines.md",
    b"bell\x07\x1b[31m.md": "bell[31m.md",
    b"'; DROP TABLE documents;--.md": "'; DROP TABLE documents;--.md",
    "\u202egnp.md".encode(): "gnp.md",
    b"x" * 250 + b".md": "x" * 250 + ".md",
}
"""File names on the disk, each with its printed form."""


@pytest.fixture(scope="module")
def groundwire(tmp_path_factory: pytest.TempPathFactory) -> Command:
    """Return a home into which all bad files were ingested at once, among good files."""
    folder = tmp_path_factory.mktemp("bad-files")
    command, files = Command(folder / "home", {}), folder / "files"
    command.tenant("acme")
    files.mkdir()
    (files / "aaa-good.md").write_text(PUMP)
    (files / "zzz-good.md").write_text("# Valve\n\nThe red valve.\n")
    for name, (content, _) in REFUSED.items():
        (files / name).write_bytes(content)
    for name, content in LEFT_OUT.items():
        (files / name).write_bytes(content)
    for number, name in enumerate(ODD_NAMES):
        Path(os.fsdecode(os.fsencode(files) + b"/" + name)).write_text(f"# Odd\n\nThe odd name number {number}.\n")
    assert command("ingest", str(files), "-t", "acme", "--public").code == 1
    return command


def rows(groundwire: Command) -> dict[str, dict[str, Any]]:
    return {row["file"]: row for row in groundwire.json("documents", "list", "-t", "acme")}


def found(groundwire: Command, phrase: str) -> list[str]:
    return [row["source_file_name"] for row in groundwire.json("search", phrase, "-t", "acme")]


def test_the_good_files_are_in_whatever_stood_between_them(groundwire: Command) -> None:
    assert found(groundwire, "blue pump")[0] == "aaa-good.md"
    assert found(groundwire, "red valve")[0] == "zzz-good.md"


@pytest.mark.parametrize("name", REFUSED)
def test_a_file_that_cannot_be_read_is_refused_with_its_reason_and_never_half_in(
    groundwire: Command, name: str
) -> None:
    row = rows(groundwire)[name]
    assert (row["state"], row["segments"]) == ("refused", 0)
    assert REFUSED[name][1] in row["reason"]
    assert name not in found(groundwire, "secret blue pump")


def test_files_of_types_that_are_not_read_make_no_record(groundwire: Command) -> None:
    assert rows(groundwire).keys().isdisjoint(LEFT_OUT)


def test_a_refused_version_leaves_the_one_before_it_answering(groundwire: Command, tmp_path: Path) -> None:
    path = tmp_path / "good-then-bad.md"
    path.write_text("# Hatch\n\nThe green hatch.\n")
    groundwire.ingest("acme", path, "--public")
    path.write_bytes(b"\x00\xff" * 500)
    refused = groundwire("ingest", str(path), "-t", "acme", "--public", "--json")
    assert (refused.code, refused.json[0]["status"]) == (1, "refused")
    assert found(groundwire, "green hatch")[0] == "good-then-bad.md"


@pytest.mark.parametrize("number", range(len(ODD_NAMES)), ids=[ascii(name)[2:20] for name in ODD_NAMES])
def test_an_odd_name_is_only_a_name(groundwire: Command, number: int) -> None:
    shown = list(ODD_NAMES.values())[number]
    assert rows(groundwire)[shown]["state"] == "indexed"
    assert shown in found(groundwire, f"odd name number {number}")


def test_odd_names_neither_break_a_row_nor_reach_the_terminal_as_orders(groundwire: Command) -> None:
    table = groundwire("documents", "list", "-t", "acme").done().out
    assert len(table.splitlines()) == 1 + len(rows(groundwire))
    shown = table + groundwire("search", "odd name", "-t", "acme", "--top-n", "20").done().out
    assert "[red]name[bold].md" in shown
    assert "\x1b" not in shown
    assert "\x07" not in shown


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("../../../etc/cron.d/pump.md", "../../../etc/cron.d/pump.md"),
        ("/etc/pump.md", "/etc/pump.md"),
        ("pu\0mp.md", "pump.md"),
        ("..\\pump.md", "..\\pump.md"),
        ("pump\r\n.md", "pump.md"),
    ],
)
def test_a_name_from_another_system_cannot_leave_the_folder_and_its_link_opens(
    company: Company, name: str, shown: str
) -> None:
    outcome = company.ingest("upload.md", PUMP, PUBLIC, file_name=name)
    assert outcome.status is IngestStatus.INDEXED
    [segment] = company.agent.search("blue pump")
    assert segment["source_file_name"] == shown
    opened = company.agent.http.get(segment["source_url"])
    assert opened.content == PUMP.encode()
    assert "\n" not in opened.headers["content-disposition"]
    blobs = company.server.home / "tenants" / company.tenant / "blobs"
    assert [path.read_bytes() for path in blobs.rglob("*") if path.is_file()] == [PUMP.encode()]
