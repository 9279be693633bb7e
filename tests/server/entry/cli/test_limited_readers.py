"""Readers that a person limited: listed with both policies, refused where files decide, and only by who may."""

import unicodedata
from pathlib import Path

import pytest

from tests.server.entry.cli.test_remote import Remote, remote, server
from tests.support.entry.command import Command

__all__ = ["remote", "server"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "F"
    folder.mkdir()
    (folder / ".policy.yaml").write_text('any_tags: ["team:legal"]\n')
    for name in ("rent", "heating", "roof"):
        (folder / f"{name}.md").write_text(f"# {name}\n\nAbout the {name}.\n")
    return folder


def ids(groundwire: Command, tenant: str, *options: str) -> dict[str, str]:
    rows = groundwire.json("documents", "list", "-t", tenant, *options)
    return {str(row["file"]).removesuffix(".md"): str(row["doc_id"]) for row in rows}


def test_ceilings_are_listed_and_those_that_keep_out_a_declared_reader_with_both_policies(
    groundwire: Command, tenant: str, folder: Path
) -> None:
    groundwire.ingest(tenant, folder)
    known = ids(groundwire, tenant)
    groundwire("documents", "set-policy", known["rent"], "-t", tenant, "--user", "ann", "--reason", "lawsuit").done()
    groundwire("documents", "set-policy", known["roof"], "-t", tenant, "--public").done()

    assert ids(groundwire, tenant, "--ceilings").keys() == {"rent", "roof"}
    assert ids(groundwire, tenant, "--policy-differs").keys() == {"rent"}
    assert ids(groundwire, tenant, "--policy-differs", "-c", "default").keys() == {"rent"}
    shown = groundwire("documents", "list", "-t", tenant, "--policy-differs").done().out
    assert "holders of one of team:legal" in shown
    assert "user ann" in shown
    assert "lawsuit" in shown
    groundwire("documents", "lift", known["rent"], "-t", tenant).done()
    done = groundwire("documents", "list", "-t", tenant, "--policy-differs").done()
    assert "No document has a ceiling that differs" in done.out


def test_a_documents_record_shows_who_limited_its_readers_when_and_why(
    groundwire: Command, tenant: str, folder: Path
) -> None:
    groundwire.ingest(tenant, folder)
    rent = ids(groundwire, tenant)["rent"]
    groundwire("documents", "set-policy", rent, "-t", tenant, "--user", "ann", "--reason", "lawsuit").done()

    [line] = [
        line
        for line in groundwire("documents", "show", rent, "-t", tenant).done().out.splitlines()
        if line.startswith("ceiling ")
    ]

    decision = groundwire.json("documents", "show", rent, "-t", tenant)["ceiling"]
    assert line.split(maxsplit=1)[1] == f"set by {decision['decided_by']} at {decision['decided_at']}: lawsuit"


def test_where_files_decide_a_person_names_no_readers_and_still_closes_lifts_and_deletes(
    groundwire: Command, tenant: str, folder: Path
) -> None:
    groundwire.ingest(tenant, folder)
    known = ids(groundwire, tenant)
    groundwire("collection", "set", "default", "-t", tenant, "--policy-authority", "files").done()
    assert groundwire.json("collection", "show", "default", "-t", tenant)["policy_authority"] == "files"

    for further in ((), ("--until-next-run",)):
        refused = groundwire("documents", "set-policy", known["rent"], "-t", tenant, "--user", "ann", "--yes", *further)
        assert refused.code == 1
        assert ".policy.yaml" in refused.line
        assert str(folder) in refused.line
        assert "documents close" in refused.line
    assert ids(groundwire, tenant, "--ceilings") == {}
    for done in ("close", "lift"):
        groundwire("documents", done, known["rent"], "-t", tenant).done()
    groundwire("documents", "close", known["roof"], "-t", tenant).done()
    groundwire("documents", "delete", known["heating"], "-t", tenant, "--yes").done()

    groundwire.ingest(tenant, folder)
    assert ids(groundwire, tenant).keys() == {"rent", "roof"}
    assert ids(groundwire, tenant, "--policy-differs").keys() == {"roof"}
    groundwire("collection", "set", "default", "-t", tenant, "--policy-authority", "people").done()
    groundwire("documents", "set-policy", known["rent"], "-t", tenant, "--user", "ann", "--yes").done()


def test_the_service_lists_and_refuses_as_the_machine_does_and_a_run_still_declares(
    remote: Remote, tmp_path: Path
) -> None:
    file = tmp_path / "roof.md"
    file.write_text("# Roof\n\nIt is new.\n")
    [sent] = remote("ingest", str(file), "-c", "roofs", "--user", "ann", "--yes", "--json").done().json
    remote("documents", "set-policy", sent["doc_id"], "--user", "ben", "--yes").done()
    rows = remote("documents", "list", "-c", "roofs", "--policy-differs", "--json").done().json
    assert [row["doc_id"] for row in rows] == [sent["doc_id"]]
    remote("documents", "lift", sent["doc_id"]).done()
    assert remote("documents", "list", "-c", "roofs", "--ceilings", "--json").done().json == []

    remote("collection", "set", "roofs", "--policy-authority", "files").done()
    refused = remote("documents", "set-policy", sent["doc_id"], "--user", "ben", "--yes")
    assert (refused.code, "the option of the run" in refused.line) == (1, True)
    assert remote("ingest", str(file), "-c", "roofs", "--user", "ben", "--yes").code == 0
    assert remote("documents", "show", sent["doc_id"], "--json").done().json["policy"]["users"] == ["ben"]


def test_a_key_with_ingest_alone_neither_deletes_nor_replaces_what_another_key_sent(
    remote: Remote, server: tuple[str, str, Command], tmp_path: Path
) -> None:
    file = tmp_path / "gutter.md"
    file.write_text("# Gutter\n\nIt leaks.\n")
    [sent] = remote("ingest", str(file), "-c", "roofs", "--public", "--json").done().json
    made = remote("key", "create", "--user", "ben", "--scope", "search", "--scope", "ingest", "--json").done().json
    other = Remote(server[0], str(made["key"]), tmp_path / "nowhere")

    for command in (
        ("delete", sent["doc_id"], "--yes"),
        ("set-policy", sent["doc_id"], "--user", "ben", "--yes"),
        ("close", sent["doc_id"]),
    ):
        refused = other("documents", *command)
        assert refused.code == 1
        assert "`share`" in refused.line
    file.write_text("# Gutter\n\nIt is mended.\n")
    [row] = other("ingest", str(file), "-c", "roofs", "--user", "ben", "--yes", "--json").json
    assert row["status"] == "refused"
    shown = remote("documents", "show", sent["doc_id"], "--json").done().json
    assert (shown["version"], shown["readers"]) == (1, "every user of the tenant")
    assert (shown["contributed_by"], bool(shown["contributed_key"])) == ("ann", True)


def test_a_file_whose_name_changes_its_unicode_form_and_its_content_stays_deleted_or_limited(
    groundwire: Command, tenant: str, tmp_path: Path
) -> None:
    folder = tmp_path / "Büro"
    folder.mkdir()
    written = {name: unicodedata.normalize("NFC", f"{name}.md") for name in ("Wärme", "Öl")}
    for name in written.values():
        (folder / name).write_text(f"# {name}\n\nThe first text.\n")
    groundwire.ingest(tenant, folder, "--any-tag", "team:legal")
    before = ids(groundwire, tenant)
    groundwire("documents", "close", before["Wärme"], "-t", tenant).done()
    groundwire("documents", "delete", before["Öl"], "-t", tenant, "--yes").done()
    for name in written.values():
        (folder / name).unlink()
        (folder / unicodedata.normalize("NFD", name)).write_text(f"# {name}\n\nAnother text.\n")

    groundwire.ingest(tenant, folder, "--any-tag", "team:legal", "--sync", "--yes")

    assert list(ids(groundwire, tenant).values()) == [before["Wärme"]]
    assert list(ids(groundwire, tenant, "--ceilings").values()) == [before["Wärme"]]
    groundwire.ingest(tenant, folder, "--any-tag", "team:legal", "--restore")
    assert set(ids(groundwire, tenant).values()) == set(before.values())
