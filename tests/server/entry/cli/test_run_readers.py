"""A run ends with who can read its documents, and with the difference to before."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.entry.cli.ingest.report import count_by_status
from groundwire.services.ingest.request import IngestResult, IngestStatus
from tests.server.entry.cli.process import on_terminal
from tests.support.entry.command import Command

PUBLIC = "public: true\n"


@pytest.fixture
def company(tmp_path: Path) -> Path:
    """A folder for everybody, with a part for one department and one for two."""
    folder = tmp_path / "company"
    for part, policy in (
        ("", PUBLIC),
        ("finance", "any_tags: [department:finance]\n"),
        ("board", "any_tags: [board, audit]\nall_tags: [level:2]\n"),
    ):
        (folder / part).mkdir(parents=True)
        (folder / part / ".policy.yaml").write_text(policy)
        for number in range(3 - len(part) // 5):
            (folder / part / f"{part or 'all'}{number}.txt").write_text(f"The {part} pump {number} takes water.\n")
    return folder


def run(groundwire: Command, tenant: str, *arguments: str) -> list[str]:
    return groundwire("ingest", *arguments, "-t", tenant, "--yes").done().out.splitlines()


def test_a_run_ends_with_its_readers_and_the_folder_that_everybody_reads(
    groundwire: Command, tenant: str, company: Path
) -> None:
    (company / "board" / "open").mkdir()
    (company / "board" / "open" / ".policy.yaml").write_text(PUBLIC)
    (company / "board" / "open" / "agenda.txt").write_text("The agenda.\n")
    assert run(groundwire, tenant, str(company)) == [
        "8 indexed",
        "readers: 4 everyone, 2 (audit or board) and level:2, 2 department:finance, 0 nobody",
        "changed: 8 new",
        f"Everybody of the tenant can read {company}/board/open/ (1 document).",
    ]
    assert run(groundwire, tenant, str(company))[2] == "changed: nothing"


def test_a_run_names_what_it_changes(groundwire: Command, tenant: str, company: Path) -> None:
    run(groundwire, tenant, str(company))
    (company / "finance" / ".policy.yaml").write_text(PUBLIC)
    (company / "board" / ".policy.yaml").unlink()
    (company / "board" / "board1.txt").unlink()
    assert run(groundwire, tenant, str(company), "--sync") == [
        "3 unchanged, 3 repolicied, 1 deleted",
        "readers: 6 everyone, 0 nobody",
        (
            "changed: 1 deleted, 2 from department:finance to everyone (finance0.txt, finance1.txt), "
            "1 from (audit or board) and level:2 to everyone (board0.txt)"
        ),
        f"Everybody of the tenant can read {company}/ (6 documents).",
    ]


def test_a_plan_and_its_run_name_the_readers_lost_by_a_limited_file_that_is_moved_onto_another(
    groundwire: Command, tenant: str, company: Path
) -> None:
    rows = groundwire.ingest(tenant, company, "--exclude", "board", "--exclude", "finance")
    [limited] = [str(row["doc_id"]) for row in rows if row["file"] == "all1.txt"]
    groundwire("documents", "set-policy", limited, "-t", tenant, "--any-tag", "hr", "--yes").done()
    (company / "all1.txt").rename(company / "all0.txt")
    files = (str(company / "all0.txt"), str(company / "all2.txt"))
    expected = "changed: 1 from everyone to hr (all0.txt)"

    plan = run(groundwire, tenant, *files, "--dry-run")

    assert expected in plan
    assert expected in run(groundwire, tenant, *files)


def test_the_json_has_the_policy_of_each_document_before_and_after(
    groundwire: Command, tenant: str, company: Path
) -> None:
    finance = company / "finance"
    first = groundwire.ingest(tenant, finance)
    assert {row["readers"] for row in first} == {"holders of one of department:finance"}
    assert [row["policy_before"] for row in first] == [None, None]
    (finance / ".policy.yaml").write_text(PUBLIC)
    (finance / "finance1.txt").unlink()
    kept, missing = groundwire.ingest(tenant, finance)
    assert (kept["path"], missing["path"]) == (str(finance / "finance0.txt"), str(finance / "finance1.txt"))
    assert (kept["status"], missing["status"]) == ("repolicied", "repolicied")
    for row in (kept, missing):
        assert row["policy"] == {"public": True, "users": [], "any_tags": [], "all_tags": []}
        assert row["policy_before"]["any_tags"] == ["department:finance"]
    [_, deleted] = groundwire.ingest(tenant, finance, "--sync", "--yes")
    assert (deleted["status"], deleted["policy"], deleted["policy_before"]["public"]) == ("deleted", None, True)


def test_the_json_of_a_run_that_changes_nobodys_readers_has_one_policy_before_and_after(
    groundwire: Command, tenant: str, company: Path
) -> None:
    [first, *_] = groundwire.ingest(tenant, company / "finance")
    groundwire("documents", "set-policy", str(first["doc_id"]), "-t", tenant, "--user", "ann", "--yes").done()
    for row in groundwire.ingest(tenant, company / "finance"):
        assert (row["status"], row["policy_before"]) == ("unchanged", row["policy"])


def test_an_option_that_contradicts_a_policy_file_is_refused_with_the_path_of_that_file(
    groundwire: Command, tenant: str, company: Path
) -> None:
    refused = groundwire("ingest", str(company), "-t", tenant, "--public")
    assert refused.code == 2
    assert refused.line.startswith(f"{company}/board/.policy.yaml names the readers of board0.txt")


def test_patterns_select_the_files_of_a_folder(groundwire: Command, tenant: str, company: Path) -> None:
    (company / "finance" / "notes.md").write_text("# Notes\n\nSmall notes.\n")
    selected = groundwire.ingest(tenant, company, "--include", "*.txt", "--exclude", "board", "--exclude", "*/*1.txt")
    assert [row["file"] for row in selected] == ["all0.txt", "all1.txt", "all2.txt", "finance0.txt"]
    # A file that is there, but not selected, is not missing.
    run(groundwire, tenant, str(company))
    reported = groundwire("ingest", str(company), "-t", tenant, "--sync", "--yes", "--exclude", "board").done()
    assert "deleted" not in reported.out
    assert "Left out by --include and --exclude: 2 files." in reported.err
    named = groundwire.ingest(tenant, company / "board" / "board0.txt", "--exclude", "board*")
    assert [row["status"] for row in named] == ["unchanged"]


def test_readers_whom_no_list_of_tags_names_are_reported_by_both_policies(
    groundwire: Command, tenant: str, company: Path
) -> None:
    finance = company / "finance"
    limited, _ = groundwire.ingest(tenant, finance)
    groundwire("documents", "set-policy", limited["doc_id"], "-t", tenant, "--any-tag", "audit", "--yes").done()
    both = "holders of one of department:finance; at most holders of one of audit"
    readers = "readers: 0 everyone, 1 department:finance, 1 department:finance (at most audit), 0 nobody"
    assert run(groundwire, tenant, str(finance)) == ["2 unchanged", readers, "changed: nothing"]
    held, other = groundwire.ingest(tenant, finance)
    # No single policy names these readers; one that admits nobody would be false.
    assert (held["readers"], held["policy"], held["policy_before"]) == (both, None, None)
    assert other["policy"]["any_tags"] == ["department:finance"]
    (finance / ".policy.yaml").write_text("any_tags: [legal]\n")
    planned = groundwire("ingest", str(finance), "-t", tenant, "--dry-run", "--json").done().json
    assert planned["readers_lost"] == planned["readers_gained"] == ["finance0.txt", "finance1.txt"]
    assert planned["readers"] == {"everyone": 0, "legal": 1, "legal (at most audit)": 1, "nobody": 0}
    assert planned["files"][0]["readers"] == both.replace("department:finance", "legal")
    assert planned["files"][0]["policy"] is None
    assert run(groundwire, tenant, str(finance))[2] == (
        "changed: 1 from department:finance to legal (finance1.txt), "
        "1 from department:finance (at most audit) to legal (at most audit) (finance0.txt)"
    )


def test_a_policy_of_another_form_that_names_the_same_readers_is_no_change(
    groundwire: Command, tenant: str, company: Path
) -> None:
    finance = company / "finance"
    groundwire.ingest(tenant, finance)
    (finance / ".policy.yaml").write_text("all_tags: ['department:finance']\n")
    plan = groundwire("ingest", str(finance), "-t", tenant, "--dry-run").done().out.splitlines()
    assert plan[2:4] == ["readers: 0 everyone, 2 department:finance, 0 nobody", "changed: nothing"]
    assert run(groundwire, tenant, str(finance))[2] == "changed: nothing"


@pytest.mark.parametrize(
    ("options", "reader"),
    [
        (("--all-tag", "level:2", "--any-tag", "audit", "--any-tag", "board"), " --tag level:2 --tag audit"),
        (("--user", "ana@acme.example"), " --user ana@acme.example"),
        (("--public",), ""),
    ],
)
def test_a_run_on_a_terminal_ends_with_a_search_by_one_of_its_readers(
    groundwire: Command, tenant: str, tmp_path: Path, options: tuple[str, ...], reader: str
) -> None:
    (tmp_path / "note.txt").write_text("The pump takes water.\n")
    with on_terminal(groundwire, "ingest", str(tmp_path / "note.txt"), "-t", tenant, "--yes", *options) as running:
        shown = running.read_until(f'Try: groundwire search "QUESTION" --tenant acme{reader}\x1b')
    assert "Took " in shown
    assert groundwire.json("search", "pump water", "-t", "acme", *reader.split())


@given(st.permutations([IngestStatus.REFUSED, IngestStatus.UNCHANGED, IngestStatus.INDEXED, IngestStatus.INDEXED]))
def test_the_counts_of_a_run_have_one_order(statuses: list[IngestStatus]) -> None:
    results = [IngestResult(status, "note.txt", None) for status in statuses]
    assert [*count_by_status(results, []).items()] == [("indexed", 2), ("unchanged", 1), ("refused", 1)]
