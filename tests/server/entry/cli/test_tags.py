"""A slip in a tag is named before it opens or closes anything; tags are listed and renamed."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from groundwire.adapters.local.audit import FileAudit
from groundwire.domain.access.policy import Principal
from groundwire.domain.audit.lines import person_facts
from groundwire.entry.cli.main import app
from groundwire.entry.cli.target.source_operations import SourceOperations
from tests.support.entry.command import Command


@pytest.fixture
def doc(groundwire: Command, tenant: str, note: Path) -> str:
    groundwire("ingest", str(note), "-t", tenant, "--any-tag", "team:legal", "--id", "d-1").done()
    return "d-1"


SLIPS = [
    ["documents", "set-policy", "d-1", "--any-tag", "team:legla"],
    ["documents", "set-policy", "d-1", "--all-tag", "team:legla"],
    ["user", "set", "ann", "--tag", "team:legla"],
    ["user", "set", "ann", "--add-tag", "team:legla"],
    ["key", "create", "--user", "ann", "--tag", "team:legla", "--scope", "search"],
    ["key", "create", "--act-as", "--max-tag", "tema:*", "--scope", "search"],
    ["group", "set", "chiefs", "--tag", "team:legla"],
]
KEY_SLIPS = [
    (["--user", "ann", "--scope", "search"], ["key", "edit", "--tag", "team:legla"]),
    (["--act-as", "--scope", "search"], ["key", "edit", "--max-tag", "tema:*"]),
]
SOURCE_SLIPS = [
    ["source", "add", "wiki", "http://127.0.0.1:9/mcp", "--any-tag", "team:legla"],
    ["source", "add", "wiki", "http://127.0.0.1:9/mcp", "--all-tag", "team:legla"],
    ["source", "set-policy", "wiki", "--any-tag", "team:legla"],
    ["source", "set-policy", "wiki", "--all-tag", "team:legla"],
]
READING = [
    ["access", "check", "d-1", "--tag", "team:legla"],
    ["access", "documents", "--tag", "team:legla"],
    ["access", "why-not", "d-1", "rent", "--tag", "team:legla"],
    ["access", "what-if", "tags", "ann", "--tag", "team:legla"],
    ["access", "what-if", "policy", "d-1", "--any-tag", "team:legla"],
    ["access", "what-if", "policy", "d-1", "--all-tag", "team:legla"],
    ["search", "rent", "--tag", "team:legla"],
    ["replay", "rent", "-c", "default", "--tag", "team:legla"],
]
WITHOUT_A_QUESTION = {
    # It takes the tags of the policy files of a folder as well; the next tests have both.
    *(("ingest", "--any-tag"), ("ingest", "--all-tag")),
    # It sends the tags with a key, and knows no tenant.
    ("events", "--tag"),
    # Flags: no tag is given.
    *(("key create", "--any-tag"), ("key create", "--strict-tags"), ("group set", "--no-tags")),
    *(("key edit", "--no-tags"), ("apply", "--new-tags")),
    # It takes a right away.
    ("user set", "--remove-tag"),
    # A renaming names the tag that was meant, and asks by its plan.
    ("tags rename", "new_tag"),
    ("tags rename", "tag"),
}


_TAG = re.compile(r"(^|[-_])tags?($|[-_])")


def tag_parameters() -> set[tuple[str, str]]:
    """Every option and argument of a command whose name has the word `tag`."""

    def walk(command: Any, words: tuple[str, ...]) -> Iterator[tuple[str, str]]:
        for name, inner in getattr(command, "commands", {}).items():
            yield from walk(inner, (*words, name))
        for parameter in () if hasattr(command, "commands") else command.params:
            yield from ((" ".join(words), name) for name in parameter.opts if _TAG.search(name))

    return set(walk(get_command(app), ()))


def test_every_option_that_takes_a_tag_compares_it_with_the_tags_in_use() -> None:
    tried = {
        (" ".join(words[: 2 if words[0] not in {"search", "replay"} else 1]), option)
        for words in (*SLIPS, *SOURCE_SLIPS, *READING, *(words for _, words in KEY_SLIPS))
        for option in words
        if option.endswith("-tag")
    }
    assert tag_parameters() == tried | WITHOUT_A_QUESTION


@pytest.mark.usefixtures("doc")
@pytest.mark.parametrize("arguments", SLIPS)
def test_a_slip_is_refused_and_accepted_on_demand(groundwire: Command, tenant: str, arguments: list[str]) -> None:
    refused = groundwire(*arguments, "-t", tenant)
    assert refused.code == 2
    assert "Did you mean team:" in refused.line
    assert "--yes" in refused.line
    groundwire(*arguments, "-t", tenant, "--yes").done()


@pytest.mark.usefixtures("doc")
@pytest.mark.parametrize(("kind", "arguments"), KEY_SLIPS)
def test_a_slip_in_a_change_of_a_key_is_refused_and_accepted_on_demand(
    groundwire: Command, tenant: str, kind: list[str], arguments: list[str]
) -> None:
    kid = groundwire.json("key", "create", "-t", tenant, *kind)["kid"]
    edit = (*arguments[:2], kid, *arguments[2:], "-t", tenant)
    refused = groundwire(*edit)
    assert (refused.code, "Did you mean team:" in refused.line, "--yes" in refused.line) == (2, True, True)
    groundwire(*edit, "--yes").done()


@pytest.mark.usefixtures("doc")
@pytest.mark.parametrize("arguments", SOURCE_SLIPS)
def test_a_slip_in_the_readers_of_a_source_is_refused_before_its_server_is_called(
    groundwire: Command, tenant: str, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    def found(_sources: object, _name: str) -> dict[str, object]:
        return {"id": "s-1"}

    monkeypatch.setattr(SourceOperations, "find", found)
    refused = groundwire(*arguments, "-t", tenant)
    assert (refused.code, "Did you mean team:legal?" in refused.line, "--yes" in refused.line) == (2, True, True)
    confirmed = groundwire(*arguments, "-t", tenant, "--yes")
    assert "Did you mean" not in confirmed.err


@pytest.mark.usefixtures("doc")
@pytest.mark.parametrize("arguments", READING)
def test_a_slip_in_the_tags_of_a_search_is_named_and_the_search_goes_on(
    groundwire: Command, tenant: str, arguments: list[str]
) -> None:
    # A replay that finds nothing fails for that reason.
    named = groundwire(*arguments, "-t", tenant)
    assert "No document, user, key or group has the tag team:legla. Did you mean team:legal?" in named.err
    assert "Did you mean" not in groundwire(*arguments[:-1], "team:legal", "-t", tenant).err


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
def test_the_last_call_with_each_tag_is_read_from_the_audit_log_as_far_as_it_shows_it(
    groundwire: Command, tenant: str
) -> None:
    many = [f"area:{letter}" for letter in "abcdef"]
    held = [option for tag in many for option in ("--tag", tag)]
    groundwire("user", "set", "ann", "-t", tenant, *held, "--yes").done()
    tenant_id = groundwire.json("tenant", "list")[0]["tenant"]
    log = FileAudit(groundwire.home)
    called: list[tuple[float, set[str], str]] = [
        (60.0, {"team:legal"}, tenant_id),
        (120.0, {"team:legal", "area:a"}, tenant_id),
        (180.0, set(many), tenant_id),
        (240.0, {*many[:4], "team:legal"}, tenant_id),
        (300.0, {"never:used"}, tenant_id),
        (360.0, set(), tenant_id),
        (420.0, {"team:legal"}, "t_other"),
    ]
    for time, tags, owner in called:
        facts = person_facts(Principal(owner, "ann", frozenset(tags)))
        log.append({"time": time, "tenant": owner, "kid": "4fGh7Kq2LmNp", **facts})
    listed = groundwire("tags", "list", "-t", tenant, "--json").done().json
    last = {row["tag"]: row["last_call"] for row in listed["tags"]}
    assert last == {"team:legal": "1970-01-01T00:02:00Z", **dict.fromkeys(many, "1970-01-01T00:03:00Z")}
    assert listed["unrecognised_calls"] == 2
    assert "2 calls had tags that could not be recognised" in groundwire("tags", "list", "-t", tenant).done().err


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
