"""Documents are ingested, re-policied, shown and deleted, and the commands always state who may read them."""

from pathlib import Path
from typing import Any

import pytest

from tests.support.entry.command import Command


def record(groundwire: Command, tenant: str) -> dict[str, Any]:
    """The only document."""
    [document] = groundwire.json("documents", "list", "-t", tenant)
    return document


def found(groundwire: Command, tenant: str, *asker: str) -> set[str]:
    """The files that answer this asker."""
    return {row["source_file_name"] for row in groundwire.json("search", "blue pump", "-t", tenant, *asker)}


def test_a_file_comes_in_once_and_costs_nothing_the_second_time(groundwire: Command, tenant: str, note: Path) -> None:
    [first] = groundwire.ingest(tenant, note, "--public")
    assert (first["file"], first["status"], first["reason"]) == ("note.md", "indexed", None)
    assert first["embedded"] == first["segments"] > 0
    [second] = groundwire.ingest(tenant, note, "--public")
    assert (second["status"], second["embedded"], second["doc_id"]) == ("unchanged", 0, first["doc_id"])


def test_an_address_that_could_be_read_as_markup_is_encoded_and_one_that_is_none_is_refused(
    groundwire: Command, tenant: str, note: Path
) -> None:
    groundwire.ingest(tenant, note, "--public", "--url", "https://ok.example/a)![p](https://evil.example/p.png)")
    assert record(groundwire, tenant)["source_url"].startswith("https://ok.example/a%29!%5Bp%5D%28https:")
    refused = groundwire("ingest", str(note), "-t", tenant, "--public", "--url", "https://me:secret@ok.example/")
    assert (refused.code, "without user or password" in refused.line) == (2, True)


def test_the_record_shows_all_fields_and_the_table_shows_the_same_for_people(
    groundwire: Command, tenant: str, note: Path
) -> None:
    options = ["--id", "pumps", "--user", "maria", "--any-tag", "a", "--any-tag", "b", "--all-tag", "c"]
    groundwire.ingest(tenant, note, *options, "-c", "manuals", "--url", "https://docs.example/pumps")
    document = record(groundwire, tenant)
    shown = groundwire.json("documents", "show", "pumps", "-t", tenant)
    assert len(shown.pop("passages")) == document["segments"]
    assert document == shown
    assert document["doc_id"] == "pumps"
    assert document["collection"] == "manuals"
    assert document["source_url"] == "https://docs.example/pumps"
    assert document["policy"] == {"public": False, "users": ["maria"], "any_tags": ["a", "b"], "all_tags": ["c"]}
    readers = "user maria; holders of one of a, b and all of c"
    assert readers in groundwire("documents", "show", "pumps", "-t", tenant).out
    assert readers in groundwire("documents", "list", "-t", tenant).out
    missing = groundwire("documents", "list", "-t", tenant, "--collection", "other")
    assert (missing.code, "'other'" in missing.line) == (1, True)


def test_a_row_of_a_table_stays_one_line_in_a_pipe(groundwire: Command, tenant: str, note: Path) -> None:
    users = [option for number in range(30) for option in ("--user", f"somebody-{number}@example.com")]
    groundwire.ingest(tenant, note, *users)
    lines = groundwire("documents", "list", "-t", tenant).done().out.splitlines()
    assert len(lines) == 2
    assert "somebody-29@example.com" in lines[1]


@pytest.mark.parametrize(
    ("readers", "reader", "stranger"),
    [
        (["--public"], [], None),
        (["--user", "maria"], ["--user", "maria"], ["--user", "Maria"]),
        (["--any-tag", "a", "--any-tag", "b"], ["--tag", "b"], ["--tag", "B"]),
        (["--all-tag", "a", "--all-tag", "b"], ["--tag", "a", "--tag", "b"], ["--tag", "a"]),
        (["--any-tag", "a", "--all-tag", "b"], ["--tag", "a", "--tag", "b"], ["--tag", "b"]),
    ],
)
def test_search_on_the_command_line_shows_what_that_asker_may_read(
    groundwire: Command, tenant: str, note: Path, readers: list[str], reader: list[str], stranger: list[str] | None
) -> None:
    groundwire.ingest(tenant, note, *readers)
    assert found(groundwire, tenant, *reader) == {"note.md"}
    if stranger is not None:
        assert found(groundwire, tenant, *stranger) == set()
        assert "No passage" in groundwire("search", "blue pump", "-t", tenant, *stranger).done().out


def test_a_document_that_nobody_was_named_for_is_read_by_nobody_and_that_is_reported(
    groundwire: Command, tenant: str, note: Path
) -> None:
    reported = groundwire("ingest", str(note), "-t", tenant).done()
    assert reported.out == "1 indexed\nreaders: 0 everyone, 1 nobody\nchanged: 1 new\n"
    assert "note.md" in reported.line
    assert "Nobody may read" in reported.line
    assert found(groundwire, tenant, "--user", "maria", "--tag", "a") == set()


def test_the_nearest_policy_file_counts_alone(groundwire: Command, tenant: str, note: Path) -> None:
    (note.parent / ".policy.yaml").write_text("any_tags: [a]\n")
    inner = note.parent / "inner"
    inner.mkdir()
    (inner / "deep.md").write_text("# Deep\n\nThe blue pump lies deep.\n")
    (inner / ".policy.yaml").write_text("users: [maria]\n")
    groundwire.ingest(tenant, note.parent)
    assert found(groundwire, tenant, "--tag", "a") == {"note.md"}
    assert found(groundwire, tenant, "--user", "maria") == {"deep.md"}


def test_a_changed_policy_file_re_policies_and_a_removed_one_leaves_nobody(
    groundwire: Command, tenant: str, note: Path
) -> None:
    policy = note.parent / ".policy.yaml"
    policy.write_text("any_tags: [a]\n")
    groundwire.ingest(tenant, note.parent)
    policy.write_text("any_tags: [b]\n")
    [changed] = groundwire.ingest(tenant, note.parent)
    assert (changed["status"], changed["embedded"]) == ("repolicied", 0)
    assert found(groundwire, tenant, "--tag", "a") == set()
    assert found(groundwire, tenant, "--tag", "b") == {"note.md"}
    policy.unlink()
    groundwire.ingest(tenant, note.parent)
    assert found(groundwire, tenant, "--tag", "b") == set()
    assert record(groundwire, tenant)["readers"] == "nobody"


def test_options_that_contradict_a_policy_file_are_refused_before_anything_comes_in(
    groundwire: Command, tenant: str, note: Path
) -> None:
    (note.parent / ".policy.yaml").write_text("any_tags: [a]\n")
    refused = groundwire("ingest", str(note), "-t", tenant, "--public")
    assert refused.code == 2
    assert ".policy.yaml" in refused.line
    assert groundwire.json("documents", "list", "-t", tenant) == []


@pytest.mark.parametrize(
    "content",
    ["publik: true\n", "public: yes please\n", "any_tags: a\n", "users: [1]\n", "{\n", "any_tags: ['sys:x']\n"],
)
def test_a_policy_file_that_cannot_be_understood_stops_the_run(
    groundwire: Command, tenant: str, note: Path, content: str
) -> None:
    (note.parent / ".policy.yaml").write_text(content)
    refused = groundwire("ingest", str(note), "-t", tenant)
    assert refused.code == 2
    assert refused.line
    assert groundwire.json("documents", "list", "-t", tenant) == []


def test_a_policy_set_manually_is_in_force_on_the_next_search(groundwire: Command, tenant: str, note: Path) -> None:
    groundwire.ingest(tenant, note, "--id", "pumps", "--public")
    shown = groundwire("documents", "set-policy", "pumps", "-t", tenant, "--user", "maria").done()
    assert shown.out == "Readers of note.md: every user of the tenant; at most user maria.\n"
    assert found(groundwire, tenant, "--user", "otto") == set()
    assert found(groundwire, tenant, "--user", "maria") == {"note.md"}
    groundwire("documents", "set-policy", "pumps", "-t", tenant, "--nobody").done()
    assert found(groundwire, tenant, "--user", "maria") == set()


@pytest.mark.parametrize("again", [["--any-tag", "team:legal"], []])
def test_what_a_person_narrowed_stays_narrow_whatever_a_run_declares(
    groundwire: Command, tenant: str, note: Path, again: list[str]
) -> None:
    reader = ("--tag", "team:legal")
    if not again:
        (note.parent / ".policy.yaml").write_text("any_tags: ['team:legal']\n")
    groundwire.ingest(tenant, note, "--id", "pumps", *again)
    assert found(groundwire, tenant, *reader) == {"note.md"}
    for narrowed in (["--any-tag", "team:audit"], ["--nobody"]):
        groundwire("documents", "set-policy", "pumps", "-t", tenant, *narrowed, "--yes").done()
        note.write_text(f"{note.read_text()}\nMore on pumps.\n")
        groundwire.ingest(tenant, note, "--id", "pumps", *again)
        assert found(groundwire, tenant, *reader) == set()
    groundwire("documents", "lift", "pumps", "-t", tenant).done()
    assert found(groundwire, tenant, *reader) == {"note.md"}
    groundwire("documents", "close", "pumps", "-t", tenant, "--reason", "legal hold").done()
    groundwire.ingest(tenant, note, "--id", "pumps", *again)
    assert found(groundwire, tenant, *reader) == set()


def test_a_policy_until_the_next_run_ends_with_it(groundwire: Command, tenant: str, note: Path) -> None:
    groundwire.ingest(tenant, note, "--id", "pumps", "--public")
    groundwire("documents", "set-policy", "pumps", "-t", tenant, "--nobody", "--until-next-run").done()
    assert found(groundwire, tenant, "--user", "otto") == set()
    groundwire.ingest(tenant, note, "--id", "pumps", "--public")
    assert found(groundwire, tenant, "--user", "otto") == {"note.md"}


@pytest.mark.parametrize("readers", [[], ["--nobody", "--public"]])
def test_set_policy_wants_readers_or_the_word_nobody(
    groundwire: Command, tenant: str, note: Path, readers: list[str]
) -> None:
    groundwire.ingest(tenant, note, "--id", "pumps", "--public")
    refused = groundwire("documents", "set-policy", "pumps", "-t", tenant, *readers)
    assert refused.code == 2
    assert "--nobody" in refused.line
    assert record(groundwire, tenant)["readers"] == "every user of the tenant"


def test_a_deleted_document_answers_no_more_and_is_not_listed(groundwire: Command, tenant: str, note: Path) -> None:
    groundwire.ingest(tenant, note, "--id", "pumps", "--public")
    groundwire("documents", "delete", "pumps", "-t", tenant, typed="y\n").done()
    assert found(groundwire, tenant) == set()
    assert groundwire.json("documents", "list", "-t", tenant) == []
    for command in (["show", "pumps"], ["delete", "pumps", "-y"], ["set-policy", "pumps", "--public"]):
        missing = groundwire("documents", *command, "-t", tenant)
        assert missing.code == 1
        assert "pumps" in missing.line


def test_a_refused_file_is_named_with_its_reason_and_the_others_go_on(
    groundwire: Command, tenant: str, note: Path
) -> None:
    (note.parent / "empty.txt").touch()
    reported = groundwire("ingest", str(note.parent), "-t", tenant, "--public")
    assert reported.code == 1
    assert "1 indexed" in reported.out
    assert "1 refused" in reported.out
    assert reported.out.splitlines()[-1].startswith("empty.txt  ")
    assert reported.err == ""
    assert found(groundwire, tenant) == {"note.md"}
    rows = groundwire("ingest", str(note.parent), "-t", tenant, "--public", "--json")
    assert rows.code == 1
    assert {row["file"]: row["status"] for row in rows.json} == {"empty.txt": "refused", "note.md": "unchanged"}


@pytest.mark.parametrize(
    ("arguments", "stated"),
    [
        (["missing.md"], "missing.md"),
        ([".", "--id", "one-id"], "single file"),
        ([".", "--url", "https://docs.example/"], "single file"),
        (["note.md", "--id", "../up"], "'../up'"),
        (["note.md", "-c", "no spaces"], "'no spaces'"),
        (["note.md", "--any-tag", "sys:x"], "reserved"),
        (["note.md", "--user", ""], "empty"),
    ],
)
def test_an_ingestion_that_cannot_be_meant_is_refused_in_one_line(
    groundwire: Command, tenant: str, note: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], stated: str
) -> None:
    (note.parent / "second.md").write_text("# Second\n\nMore.\n")
    monkeypatch.chdir(note.parent)
    refused = groundwire("ingest", *arguments, "-t", tenant)
    assert refused.code == 2
    assert stated in refused.line
    assert groundwire.json("documents", "list", "-t", tenant) == []


@pytest.mark.parametrize("phrases", [["a"] * 6, [" "], ["a", ""], []])
def test_search_takes_one_to_five_phrases(groundwire: Command, tenant: str, phrases: list[str]) -> None:
    refused = groundwire("search", *phrases, "-t", tenant)
    assert refused.code == 2
    assert refused.line


def test_search_shows_the_best_passage_first_with_its_place(groundwire: Command, tenant: str, note: Path) -> None:
    groundwire.ingest(tenant, note, "--public")
    shown = groundwire("search", "how are valves closed", "-t", tenant, "--top-n", "1").done().out
    assert shown.startswith("1. ")
    assert "note.md" in shown
    assert "Valves" in shown
    assert "2. " not in shown


def test_where_no_bar_can_move_a_line_states_how_far_the_work_is(
    groundwire: Command, tenant: str, note: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("groundwire.entry.cli.ingest.progress._LINE_INTERVAL_S", -1.0)
    assert "1 of 1 files done" in groundwire("ingest", str(note), "-t", tenant, "--public").err


def test_a_search_by_the_operator_is_recorded_like_an_agents(groundwire: Command, tenant: str, note: Path) -> None:
    groundwire("ingest", str(note), "-t", tenant, "--public", "--id", "pumps")
    groundwire("search", "blue pump", "-t", tenant, "--user", "maria")
    line = groundwire.json("audit", "list")[-1]
    assert (line["action"], line["tenant"], line["user"]) == ("search", tenant, "maria")
    assert line["documents"] == ["pumps@1"]
