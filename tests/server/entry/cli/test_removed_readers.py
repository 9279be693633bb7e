"""A run that removes readers from many documents asks for confirmation, and without it changes nothing."""

import sqlite3
from contextlib import closing
from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.server.entry.cli.process import on_terminal
from tests.support.entry.command import Command, Finished

MANY = 11


def files(folder: Path, number: int) -> Path:
    folder.mkdir(exist_ok=True)
    for index in range(number):
        (folder / f"{index:02}.txt").write_text(f"The blue pump number {index} takes water.\n")
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with one document more than a run may close without confirmation."""
    return files(tmp_path / "folder", MANY)


def readers(groundwire: Command, tenant: str) -> set[str]:
    return {row["readers"] for row in groundwire.json("documents", "list", "-t", tenant)}


def refused(done: Finished, documents: int = MANY) -> str:
    """The line of a run that did nothing."""
    assert (done.code, done.out) == (1, "")
    assert f"removes readers from {documents} documents" in done.line
    assert "--yes" in done.line
    return done.line


def forget_sources(groundwire: Command) -> None:
    """Leave the records as an earlier release stored them: without the source of their policy."""
    with closing(sqlite3.connect(groundwire.home / "registry.db")) as registry, registry:
        registry.execute("UPDATE documents SET policy_from_option = 0")


def ingested(groundwire: Command, tenant: str, folder: Path, *options: str) -> Finished:
    return groundwire("ingest", str(folder), "-t", tenant, *options)


def test_options_left_out_of_a_rerun_keep_what_they_gave_and_a_new_file_has_no_readers(
    groundwire: Command, tenant: str, folder: Path
) -> None:
    ingested(groundwire, tenant, folder, "--public").done()
    (folder / "00.txt").write_text("The blue pump takes oil.\n")
    (folder / "new.txt").write_text("The green pump.\n")
    assert "2 indexed, 10 unchanged" in ingested(groundwire, tenant, folder).done().out
    rows = groundwire.json("documents", "list", "-t", tenant)
    assert {row["readers"] for row in rows if row["file"] != "new.txt"} == {"every user of the tenant"}
    assert {row["readers"] for row in rows if row["file"] == "new.txt"} == {"nobody"}


def test_options_left_out_keep_a_manual_policy_also_for_new_content(
    groundwire: Command, tenant: str, tmp_path: Path
) -> None:
    folder = files(tmp_path / "one", 1)
    ingested(groundwire, tenant, folder, "--public").done()
    [row] = groundwire.json("documents", "list", "-t", tenant)
    groundwire("documents", "set-policy", row["doc_id"], "-t", tenant, "--user", "ann", "--until-next-run").done()
    (folder / "00.txt").write_text("The blue pump takes oil.\n")
    ingested(groundwire, tenant, folder).done()
    assert readers(groundwire, tenant) == {"user ann"}


def test_a_manual_policy_over_a_policy_file_names_the_ingestion_that_ends_it(
    groundwire: Command, tenant: str, tmp_path: Path
) -> None:
    folder = files(tmp_path / "one", 1)
    (folder / ".policy.yaml").write_text("public: true\n")
    ingested(groundwire, tenant, folder).done()
    [row] = groundwire.json("documents", "list", "-t", tenant)
    override = ("documents", "set-policy", row["doc_id"], "-t", tenant, "--nobody", "--until-next-run")
    assert "The next ingestion applies it again" in groundwire(*override).done().err
    ingested(groundwire, tenant, folder).done()
    assert readers(groundwire, tenant) == {"every user of the tenant"}


def test_a_manual_policy_without_a_policy_file_has_no_such_warning(
    groundwire: Command, tenant: str, tmp_path: Path
) -> None:
    ingested(groundwire, tenant, files(tmp_path / "one", 1)).done()
    [row] = groundwire.json("documents", "list", "-t", tenant)
    changed = groundwire("documents", "set-policy", row["doc_id"], "-t", tenant, "--public", "--until-next-run").done()
    assert changed.err == ""


def test_a_policy_file_that_is_missing_leaves_nobody(groundwire: Command, tenant: str, tmp_path: Path) -> None:
    folder = files(tmp_path / "few", 2)
    (folder / ".policy.yaml").write_text("public: true\n")
    ingested(groundwire, tenant, folder).done()
    (folder / ".policy.yaml").unlink()
    (folder / "01.txt").unlink()
    ingested(groundwire, tenant, folder).done()
    assert readers(groundwire, tenant) == {"nobody"}


def test_readers_of_unknown_source_are_taken_away_only_where_it_is_confirmed(
    groundwire: Command, tenant: str, folder: Path
) -> None:
    ingested(groundwire, tenant, folder, "--public").done()
    forget_sources(groundwire)
    (folder / "new.txt").write_text("The green pump.\n")
    assert "00.txt, 01.txt, 02.txt …" in refused(ingested(groundwire, tenant, folder))
    assert readers(groundwire, tenant) == {"every user of the tenant"}
    assert "new.txt" not in groundwire("documents", "list", "-t", tenant).out

    assert "1 indexed, 11 repolicied" in ingested(groundwire, tenant, folder, "--yes").done().out
    assert readers(groundwire, tenant) == {"nobody"}


def test_ten_documents_can_have_readers_removed_without_a_question(
    groundwire: Command, tenant: str, tmp_path: Path
) -> None:
    folder = files(tmp_path / "few", MANY - 1)
    ingested(groundwire, tenant, folder, "--public").done()
    ingested(groundwire, tenant, folder, "--any-tag", "department:sales").done()
    assert readers(groundwire, tenant) == {"holders of one of department:sales"}


def test_readers_that_are_added_need_no_question(groundwire: Command, tenant: str, folder: Path) -> None:
    ingested(groundwire, tenant, folder, "--user", "ann").done()
    ingested(groundwire, tenant, folder, "--user", "ann", "--user", "ben").done()
    ingested(groundwire, tenant, folder, "--public").done()
    ingested(groundwire, tenant, folder, "--public").done()
    refused(ingested(groundwire, tenant, folder, "--user", "ann"))


def test_a_narrowed_or_removed_policy_file_needs_confirmation(groundwire: Command, tenant: str, folder: Path) -> None:
    policy = folder / ".policy.yaml"
    policy.write_text("users: [ann, ben]\n")
    ingested(groundwire, tenant, folder).done()
    policy.write_text("users: [ben]\n")
    refused(ingested(groundwire, tenant, folder))
    refused(ingested(groundwire, tenant, folder, "--sync"))
    policy.unlink()
    refused(ingested(groundwire, tenant, folder))
    assert readers(groundwire, tenant) == {"users ann, ben"}


def test_documents_without_a_file_count_where_they_follow_the_policy_file_and_not_where_they_are_deleted(
    groundwire: Command, tenant: str, folder: Path
) -> None:
    policy = folder / ".policy.yaml"
    policy.write_text("users: [ann, ben]\n")
    files(folder, 2 * MANY)
    ingested(groundwire, tenant, folder).done()
    for deleted in range(MANY):
        (folder / f"{deleted:02}.txt").unlink()
    policy.write_text("users: [ben]\n")
    refused(ingested(groundwire, tenant, folder), 2 * MANY)
    refused(ingested(groundwire, tenant, folder, "--sync"), MANY)
    assert readers(groundwire, tenant) == {"users ann, ben"}


def test_attachments_count_like_the_mails_that_carry_them(groundwire: Command, tenant: str, tmp_path: Path) -> None:
    folder = tmp_path / "mails"
    folder.mkdir()
    for number in range(4):
        mail = EmailMessage()
        mail["Subject"], mail["From"], mail["To"] = f"Mail {number}", "ann@acme.example", "ben@acme.example"
        mail.set_content(f"The pump number {number}.\n")
        for name in ("one", "two"):
            mail.add_attachment(f"The {name} pump of mail {number}.\n", filename=f"{name}.txt")
        (folder / f"{number}.eml").write_bytes(bytes(mail))
    ingested(groundwire, tenant, folder, "--public").done()
    refused(ingested(groundwire, tenant, folder, "--user", "ann"), 12)


def test_documents_that_nobody_can_read_have_no_reader_to_remove(
    groundwire: Command, tenant: str, tmp_path: Path
) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    for number in range(MANY):
        (folder / f"{number}.txt").touch()
    assert ingested(groundwire, tenant, folder, "--public").code == 1
    assert f"{MANY} refused" in ingested(groundwire, tenant, folder).out


@pytest.mark.parametrize(("answer", "code", "after"), [("n", 1, "every user of the tenant"), ("y", 0, "user ann")])
def test_on_a_terminal_it_is_a_question(
    groundwire: Command, tenant: str, folder: Path, answer: str, code: int, after: str
) -> None:
    ingested(groundwire, tenant, folder, "--public").done()
    with on_terminal(groundwire, "ingest", str(folder), "-t", tenant, "--user", "ann") as asking:
        shown = asking.read_until("[y/N]")
        assert f"removes readers from {MANY} documents" in " ".join(shown.split())
        asking.type(f"{answer}\n")
        assert asking.finish()[0] == code
    assert readers(groundwire, tenant) == {after}
