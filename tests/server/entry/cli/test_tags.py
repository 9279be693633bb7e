"""A slip in a tag is named before it opens or closes anything; tags are listed and renamed."""

import sys
from pathlib import Path

import pytest

from tests.support.entry.command import Command


@pytest.fixture
def doc(groundwire: Command, tenant: str, note: Path) -> str:
    groundwire("ingest", str(note), "-t", tenant, "--any-tag", "team:legal", "--id", "d-1").done()
    return "d-1"


SLIPS = [
    ["documents", "set-policy", "d-1", "--any-tag", "team:legla"],
    ["documents", "set-policy", "d-1", "--all-tag", "team:legla"],
    ["user", "set", "ann", "--tag", "team:legla"],
    ["key", "create", "--user", "ann", "--tag", "team:legla", "--scope", "search"],
    ["key", "create", "--act-as", "--max-tag", "tema:*", "--scope", "search"],
    ["group", "set", "chiefs", "--tag", "team:legla"],
]


@pytest.mark.usefixtures("doc")
@pytest.mark.parametrize("arguments", SLIPS)
def test_a_slip_is_refused_and_accepted_on_demand(groundwire: Command, tenant: str, arguments: list[str]) -> None:
    refused = groundwire(*arguments, "-t", tenant)
    assert refused.code == 2
    assert "Did you mean team:" in refused.line
    assert "--yes" in refused.line
    groundwire(*arguments, "-t", tenant, "--yes").done()


@pytest.mark.usefixtures("doc")
def test_the_tags_of_a_run_are_compared_before_anything_is_written(
    groundwire: Command, tenant: str, note: Path
) -> None:
    (note.parent / ".policy.yaml").write_text('any_tags: ["team:legla"]\n')
    before = groundwire.json("documents", "list", "-t", tenant)
    refused = groundwire("ingest", str(note.parent), "-t", tenant)
    assert (refused.code, "Did you mean team:legal?" in refused.line) == (2, True)
    assert groundwire.json("documents", "list", "-t", tenant) == before
    groundwire("ingest", str(note.parent), "-t", tenant, "--yes").done()
    again = groundwire("ingest", str(note.parent), "-t", tenant).done()
    assert "team:legla" not in again.err


@pytest.mark.usefixtures("doc")
def test_another_new_tag_is_named_in_a_warning(groundwire: Command, tenant: str) -> None:
    warned = groundwire("user", "set", "ann", "-t", tenant, "--tag", "customers").done()
    assert "No document, user, key or group has the tag customers." in warned.err
    assert groundwire("user", "set", "ann", "-t", tenant, "--tag", "team:legal").done().err == ""


@pytest.mark.usefixtures("doc")
@pytest.mark.parametrize(("typed", "code"), [("y\n", 0), ("n\n", 1), ("", 1)])
def test_on_a_terminal_a_new_tag_is_a_question(
    groundwire: Command, tenant: str, monkeypatch: pytest.MonkeyPatch, typed: str, code: int
) -> None:
    monkeypatch.setattr("groundwire.entry.cli.keys.tag_questions.sys", _Terminal())
    questions = groundwire("user", "set", "ann", "-t", tenant, "--tag", "team:legla", typed=typed)
    assert questions.code == code
    assert "Did you mean team:legal?" in questions.err
    assert len(groundwire.json("user", "list", "-t", tenant)) == 1 - code


class _Terminal:
    class stdin:  # noqa: N801 - the name is that of `sys`
        @staticmethod
        def isatty() -> bool:
            return sys.stdin is not None


@pytest.mark.usefixtures("doc")
def test_tags_are_listed_and_renamed_with_one_audit_line(groundwire: Command, tenant: str) -> None:
    groundwire("user", "set", "ann", "-t", tenant, "--tag", "team:legal").done()
    [row] = groundwire.json("tags", "list", "-t", tenant)["tags"]
    assert (row["tag"], row["documents"], row["users"], row["collections"]) == ("team:legal", 1, 1, ["default"])
    assert groundwire("tags", "rename", "team:legal", "law", "-t", tenant, typed="n\n").code == 1
    assert "Did you mean 'team:legal'?" in groundwire("tags", "rename", "team:legla", "law", "-t", tenant, "--yes").line
    renamed = groundwire("tags", "rename", "team:legal", "law", "-t", tenant, "--yes").done()
    assert renamed.out == "Renamed team:legal to law.\n"
    assert "team:legal becomes law in: 1 readers of documents, 1 stored tags of users." in renamed.err
    assert [each["tag"] for each in groundwire.json("tags", "list", "-t", tenant)["tags"]] == ["law"]
    lines = [each for each in groundwire.json("audit", "list", "--last", "50") if each.get("action") == "tags.rename"]
    assert [(each["tag_before"], each["tag_after"], each["counts"]["documents"]) for each in lines] == [
        ("team:legal", "law", 1)
    ]
    groundwire("user", "set", "bob", "-t", tenant, "--tag", "board").done()
    refused = groundwire("tags", "rename", "law", "board", "-t", tenant, "--yes")
    assert "--merge" in refused.line
    groundwire("tags", "rename", "law", "board", "-t", tenant, "--merge", "--yes").done()
