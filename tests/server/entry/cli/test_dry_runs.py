"""`ingest --dry-run` states what the run then does, and changes nothing."""

import hashlib
import os
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from groundwire.adapters.parse.confined_parser import ConfinedParser
from tests.support.entry.command import Command, Finished

PUBLIC = "public: true\n"


@pytest.fixture
def company(tmp_path: Path) -> Path:
    """A folder for everybody, with a part for one department, and a mail with an attachment."""
    folder = tmp_path / "company"
    (folder / "finance").mkdir(parents=True)
    (folder / ".policy.yaml").write_text(PUBLIC)
    (folder / "finance" / ".policy.yaml").write_text("any_tags: [department:finance]\n")
    for name in ("handbook.txt", "leave.txt", "travel.txt", "finance/budget.txt", "finance/floor.txt"):
        (folder / name).write_text(f"The blue pump of {name} takes water.\n")
    mail = EmailMessage()
    mail["Subject"] = "The offer"
    mail.set_content("The offer is attached.\n")
    mail.add_attachment("The pump costs 40 euros.\n", filename="offer.txt")
    (folder / "offer.eml").write_bytes(bytes(mail))
    return folder


def stored(groundwire: Command) -> dict[str, str]:
    """Every file of the home but those by which SQLite and the locks work, with its digest."""
    files = [path for path in groundwire.home.rglob("*") if path.is_file()]
    working = (".db-wal", ".db-shm", ".lock", ".turnstile", ".run")
    return {
        str(path.relative_to(groundwire.home)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
        if not path.name.endswith(working)
    }


def planned(groundwire: Command, tenant: str, folder: Path, *options: str) -> Finished:
    return groundwire("ingest", str(folder), "-t", tenant, "--dry-run", *options)


def plans(reported: Any) -> dict[str, str]:
    return {row["file"]: row["plan"] for row in reported["files"]}


def reader_lines(finished: Finished) -> list[str]:
    return [line for line in finished.out.splitlines() if line.startswith(("readers: ", "changed: "))]


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The contents that the parser of this process reads."""
    contents: list[bytes] = []
    parse: Any = ConfinedParser.parse

    def recorded(self: ConfinedParser, content: bytes, *arguments: Any, **options: Any) -> Any:
        contents.append(content)
        return parse(self, content, *arguments, **options)

    monkeypatch.setattr(ConfinedParser, "parse", recorded)
    return contents


def test_a_plan_of_a_new_folder_changes_nothing_and_parses_nothing(
    groundwire: Command, tenant: str, company: Path, parsed: list[bytes]
) -> None:
    (company / "broken.pdf").write_bytes(b"")
    (company / "old.doc").write_bytes(b"x")
    (company / "style.css").write_text("p {}")
    before = stored(groundwire)
    plan = planned(groundwire, tenant, company, "-c", "new")
    assert plan.code == 1
    assert plan.out.splitlines()[:4] == [
        "This is a plan. Nothing was changed.",
        "6 new, 2 refused",
        "readers: 4 everyone, 2 department:finance, 0 nobody",
        "changed: 6 new",
    ]
    assert "Known after reading: whether the 6 new and changed files can be read" in plan.out
    assert "the file is empty (0 bytes)" in plan.out
    assert "old Office files (.doc) are not read" in plan.out
    assert "Skipped, because these types are not supported: 1 .css." in plan.err
    assert (stored(groundwire), parsed) == (before, [])
    assert [row["name"] for row in groundwire.json("collection", "list", "-t", tenant)] == []


def test_the_run_does_what_its_plan_states(groundwire: Command, tenant: str, company: Path) -> None:
    groundwire.ingest(tenant, company)
    (company / "finance" / ".policy.yaml").write_text("any_tags: [department:finance, board]\n")
    (company / "handbook.txt").write_text("Another handbook.\n")
    (company / "leave.txt").rename(company / "holidays.txt")
    (company / "travel.txt").unlink()
    (company / "fresh.txt").write_text("A fresh file.\n")
    plan = planned(groundwire, tenant, company, "--sync", "--json").done().json
    assert plans(plan) == {
        "fresh.txt": "new",
        "handbook.txt": "changed",
        "holidays.txt": "updated",
        "offer.eml": "unchanged",
        "budget.txt": "repolicied",
        "floor.txt": "repolicied",
    }
    assert [(row["file"], row["deleted"]) for row in plan["gone"]] == [("travel.txt", True)]
    assert plan["readers_gained"] == ["budget.txt", "floor.txt"]
    shown = planned(groundwire, tenant, company, "--sync").done()
    done = groundwire("ingest", str(company), "-t", tenant, "--sync", "--yes").done()
    assert reader_lines(shown) == reader_lines(done)
    assert reader_lines(done) == [
        "readers: 5 everyone, 2 board or department:finance, 0 nobody",
        "changed: 1 new, 1 deleted, 2 from department:finance to board or department:finance (budget.txt, floor.txt)",
    ]


def test_a_plan_names_documents_with_fewer_readers_and_the_question_of_the_run(
    groundwire: Command, tenant: str, tmp_path: Path
) -> None:
    many = tmp_path / "many"
    many.mkdir()
    (many / ".policy.yaml").write_text(PUBLIC)
    for number in range(11):
        (many / f"{number:02}.txt").write_text(f"Pump number {number}.\n")
    groundwire.ingest(tenant, many)
    (many / ".policy.yaml").unlink()
    plan = planned(groundwire, tenant, many).done()
    assert "changed: 11 from everyone to nobody (00.txt, 01.txt, 02.txt …)" in plan.out
    assert "readers lost: 11 documents" in plan.out
    assert "without a terminal it needs --yes" in plan.out
    assert "Nobody may read these documents yet" in plan.err


def test_a_plan_counts_what_a_person_deleted_earlier(groundwire: Command, tenant: str, company: Path) -> None:
    rows = {row["file"]: row["doc_id"] for row in groundwire.ingest(tenant, company)}
    groundwire("documents", "delete", rows["leave.txt"], "-t", tenant, "--yes").done()
    plan = planned(groundwire, tenant, company, "--json").done().json
    assert (plans(plan)["leave.txt"], plan["counts"]["held_back"]) == ("held_back", 1)
    shown = planned(groundwire, tenant, company).done()
    assert reader_lines(shown) == reader_lines(groundwire("ingest", str(company), "-t", tenant).done())
    assert plans(planned(groundwire, tenant, company, "--restore", "--json").done().json)["leave.txt"] == "new"


def test_a_file_that_an_earlier_run_refused_is_planned_as_refused_until_it_changes(
    groundwire: Command, tenant: str, company: Path
) -> None:
    (company / "scan.pdf").write_bytes(b"%PDF-1.7 nothing")
    groundwire("ingest", str(company), "-t", tenant)
    plan = planned(groundwire, tenant, company, "--json")
    [scan] = [row for row in plan.json["files"] if row["file"] == "scan.pdf"]
    assert (plan.code, scan["plan"]) == (1, "refused")
    assert scan["reason"].endswith("(result of an earlier run)")
    (company / "scan.pdf").write_bytes(b"%PDF-1.7 another")
    assert plans(planned(groundwire, tenant, company, "--json").json)["scan.pdf"] == "new"


def test_a_plan_that_reads_refuses_what_cannot_be_read_and_saves_the_run_the_parsing(
    groundwire: Command, tenant: str, company: Path, parsed: list[bytes]
) -> None:
    (company / "scan.pdf").write_bytes(b"%PDF-1.7 nothing")
    plan = planned(groundwire, tenant, company, "--read", "--json")
    rows = {row["file"]: row for row in plan.json["files"]}
    assert (plan.json["known_after_reading"], rows["scan.pdf"]["plan"], rows["offer.eml"]["attachments"]) == (
        0,
        "refused",
        1,
    )
    # The attachment of the mail is read as well.
    assert len(parsed) == 8
    assert groundwire.json("documents", "list", "-t", tenant) == []
    parsed.clear()
    rows = {row["file"]: row["status"] for row in groundwire("ingest", str(company), "-t", tenant, "--json").json}
    assert (rows["handbook.txt"], rows["scan.pdf"], rows["offer.txt"]) == ("indexed", "refused", "indexed")
    assert parsed == []
    assert not list(groundwire.home.rglob(".readings/*"))
    without = groundwire.tenant("other")
    groundwire("ingest", str(company), "-t", without, "--json")
    texts = [
        [
            groundwire.json("documents", "show", row["doc_id"], "-t", each)["passages"][0]["text"]
            for row in groundwire.json("documents", "list", "-t", each)
            if row["state"] == "indexed"
        ]
        for each in (tenant, without)
    ]
    assert texts[0] == texts[1]


def test_readings_end_with_their_tenant(groundwire: Command, tenant: str, company: Path) -> None:
    planned(groundwire, tenant, company, "--read").done()
    assert len(list(groundwire.home.rglob(".readings/*"))) == 7
    groundwire("tenant", "delete", tenant, "--yes").done()
    assert not list(groundwire.home.rglob(".readings*"))


def test_a_run_a_day_later_deletes_readings_of_files_that_changed_since_the_plan(
    groundwire: Command, tenant: str, company: Path
) -> None:
    planned(groundwire, tenant, company, "--read").done()
    readings = list(groundwire.home.rglob(".readings/*"))
    for each in readings:
        os.utime(each, (0, 0))
    (company / "handbook.txt").write_text("Another handbook.\n")
    groundwire("ingest", str(company / "handbook.txt"), "-t", tenant).done()
    assert (len(readings), list(groundwire.home.rglob(".readings/*"))) == (7, [])


def test_the_option_read_needs_a_dry_run(groundwire: Command, tenant: str, company: Path) -> None:
    refused = groundwire("ingest", str(company), "-t", tenant, "--read")
    assert (refused.code, refused.line) == (2, "--read belongs to --dry-run: a run reads the files in any case.")


def test_a_plan_names_the_folders_that_everybody_can_read_as_the_run_does(
    groundwire: Command, tenant: str, company: Path
) -> None:
    (company / ".policy.yaml").write_text("any_tags: [department:finance]\n")
    (company / "canteen").mkdir()
    (company / "canteen" / ".policy.yaml").write_text(PUBLIC)
    (company / "canteen" / "menu.txt").write_text("The soup is green.\n")
    open_folder = f"Everybody of the tenant can read {company}/canteen/ (1 document)."
    for each in (planned(groundwire, tenant, company), groundwire("ingest", str(company), "-t", tenant, "--yes")):
        assert [line for line in each.done().out.splitlines() if line.startswith("Everybody")] == [open_folder]
    assert "Everybody" not in planned(groundwire, tenant, company / "finance").done().out
