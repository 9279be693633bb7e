"""Files of a folder: types that are not read, ids and addresses in metadata files, and folders that are missing."""

import os
from pathlib import Path

import pytest

from groundwire import wiring
from tests.support.entry.command import Command


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder with one document among files of other types."""
    folder = tmp_path / "site"
    (folder / "assets").mkdir(parents=True)
    (folder / "page.md").write_text("# Page\n\nThe blue pump takes water.\n")
    for name in ("a.css", "assets/b.css", "app.js", "Makefile"):
        (folder / name).write_text("x")
    return folder


def listed(groundwire: Command, tenant: str) -> list[str]:
    return [row["file"] for row in groundwire.json("documents", "list", "-t", tenant)]


def test_a_folders_files_of_other_types_are_counted_and_neither_recorded_nor_refused(
    groundwire: Command, tenant: str, site: Path
) -> None:
    done = groundwire("ingest", str(site), "-t", tenant, "--public").done()
    assert "Skipped, because these types are not supported: 2 .css, 1 .js, 1 without an extension." in " ".join(
        done.err.split()
    )
    assert listed(groundwire, tenant) == ["page.md"]
    again = groundwire("ingest", str(site), "-t", tenant, "--public", "--json").done()
    assert [row["file"] for row in again.json] == ["page.md"]
    assert "Skipped" in again.err


def test_a_named_file_of_such_a_type_is_refused_with_its_reason_and_the_next_walk_deletes_its_record(
    groundwire: Command, tenant: str, site: Path
) -> None:
    refused = groundwire("ingest", str(site / "a.css"), "-t", tenant, "--json")
    assert refused.code == 1
    [row] = refused.json
    assert (row["status"], "are not read" in row["reason"]) == ("refused", True)
    assert listed(groundwire, tenant) == ["a.css"]
    groundwire("ingest", str(site), "-t", tenant, "-c", "other", "--public").done()
    assert sorted(listed(groundwire, tenant)) == ["a.css", "page.md"]
    groundwire("ingest", str(site), "-t", tenant, "--public").done()
    assert "a.css" not in listed(groundwire, tenant)
    lines = groundwire.json("audit", "list", "--last", "9")
    assert [change["status"] for line in lines for change in line.get("changes", [])].count("deleted") == 1


def test_old_office_files_are_refused_with_what_to_do(groundwire: Command, tenant: str, site: Path) -> None:
    (site / "old.doc").write_bytes(b"\xd0\xcf\x11\xe0")
    reported = groundwire("ingest", str(site), "-t", tenant, "--public", "--json")
    assert {row["file"]: row["status"] for row in reported.json} == {"old.doc": "refused", "page.md": "indexed"}


def test_a_folder_of_other_types_alone_is_seen_by_a_synchronisation(
    groundwire: Command, tenant: str, site: Path
) -> None:
    groundwire("ingest", str(site), "-t", tenant, "--public").done()
    (site / "page.md").unlink()
    groundwire("ingest", str(site), "-t", tenant, "--public", "--sync", "--yes").done()
    assert listed(groundwire, tenant) == []


def test_id_and_address_of_a_files_own_metadata_file_hold_and_options_take_precedence(
    groundwire: Command, tenant: str, site: Path
) -> None:
    (site / "page.md.meta.yaml").write_text("doc_id: page\nsource_url: https://acme.example/page\nyear: 2024\n")
    groundwire("ingest", str(site), "-t", tenant, "--public").done()
    shown = groundwire.json("documents", "show", "page", "-t", tenant)
    assert (shown["source_url"], shown["metadata"]) == ("https://acme.example/page", {"year": 2024.0})
    groundwire("ingest", str(site), "-t", tenant, "--public", "--url", "https://acme.example/other").done()
    assert groundwire.json("documents", "show", "page", "-t", tenant)["source_url"] == "https://acme.example/other"


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        ("doc_id: same\n", "doc_id: same\n", "have the same doc_id 'same'"),
        ("source_url: javascript:x\n", "", "page.md.meta.yaml: The address of a document"),
        ("doc_id: 7\n", "", "doc_id must be text"),
        ("doc_id: a b\n", "", "cannot be a document id"),
    ],
)
def test_an_id_or_address_that_cannot_be_kept_stops_the_run(
    groundwire: Command, tenant: str, site: Path, first: str, second: str, reason: str
) -> None:
    (site / "more.md").write_text("# More\n\nThe green pump.\n")
    (site / "page.md.meta.yaml").write_text(first)
    (site / "more.md.meta.yaml").write_text(second)
    refused = groundwire("ingest", str(site), "-t", tenant, "--public")
    assert refused.code == 2
    assert reason in refused.line
    assert listed(groundwire, tenant) == []


def test_another_users_metadata_file_chooses_no_id(
    groundwire: Command, tenant: str, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (site / "page.md.meta.yaml").write_text("doc_id: board-memo\n")

    def is_small(found: os.stat_result) -> bool:
        return found.st_size == len("doc_id: board-memo\n")

    # Only root gives a file to another user, so the size identifies the file here.
    monkeypatch.setattr(
        "groundwire.adapters.local.ingest.folder_objects._is_foreign",
        is_small,
    )
    refused = groundwire("ingest", str(site), "-t", tenant, "--public")
    assert refused.code == 2
    assert "belongs to another user of this machine, who could choose the doc_id" in refused.line


def test_documents_of_a_missing_folder_have_no_readers_and_do_not_follow_an_outer_policy_file(
    groundwire: Command, tenant: str, site: Path
) -> None:
    (site / ".policy.yaml").write_text("public: true\n")
    inner = site / "inner"
    inner.mkdir()
    (inner / ".policy.yaml").write_text("users: [ann]\n")
    (inner / "board.md").write_text("# Board\n\nThe green pump is for sale.\n")
    groundwire("ingest", str(site), "-t", tenant).done()
    for file in inner.iterdir():
        file.unlink()
    inner.rmdir()
    groundwire("ingest", str(site), "-t", tenant).done()
    readers = {row["file"]: row["readers"] for row in groundwire.json("documents", "list", "-t", tenant)}
    assert readers == {"board.md": "nobody", "page.md": "every user of the tenant"}
    assert wiring.local_services().files.is_missing(str(inner / "board.md"))
