"""The command as a whole: help everywhere, one line for every mistake, exact exit codes."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

from groundwire.entry.cli.main import app
from tests.support.entry.command import Command


def _commands(group: typer.Typer, above: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    yield above
    for command in group.registered_commands:
        assert command.callback is not None
        yield (*above, command.name or command.callback.__name__)
    for inner in group.registered_groups:
        assert inner.typer_instance is not None
        assert inner.name is not None
        yield from _commands(inner.typer_instance, (*above, inner.name))


COMMANDS = list(_commands(app, ()))


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_explains_itself(groundwire: Command, command: tuple[str, ...]) -> None:
    shown = groundwire(*command, "--help").done()
    assert "Usage: groundwire" in shown.out
    assert shown.err == ""
    assert "bool" not in shown.out
    assert not groundwire.home.exists()


def test_the_commands_are_those_that_are_promised() -> None:
    assert {" ".join(command) for command in COMMANDS} >= {
        *("serve", "ingest", "search", "doctor", "events", "demo"),
        *("tenant create", "tenant list", "tenant delete", "user set", "user list", "user delete"),
        *("key create", "key list", "key rotate", "key revoke"),
        *("collection list", "collection show", "collection set", "collection delete"),
        *("documents list", "documents show", "documents set-policy", "documents delete"),
        *("audit list", "audit verify", "model build", "model info"),
    }


@pytest.mark.parametrize("command", [(), ("key",), ("documents",)], ids=" ".join)
def test_a_group_without_a_command_shows_what_there_is(groundwire: Command, command: tuple[str, ...]) -> None:
    shown = groundwire(*command)
    assert (shown.code, shown.err) == (2, "")
    assert "Commands" in shown.out


@pytest.mark.parametrize(
    ("arguments", "stated"),
    [
        (["bogus"], "'bogus'"),
        (["tenant", "bogus"], "'bogus'"),
        (["tenant", "create"], "'name'"),
        (["tenant", "list", "--bogus"], "--bogus"),
        (["tenant", "list", "extra"], "extra"),
        (["user", "list"], "--tenant"),
        (["serve", "--port", "99999"], "'--port'"),
        (["serve", "--port", "many"], "'--port'"),
        (["audit", "list", "--last", "0"], "'--last'"),
    ],
)
def test_a_mistyped_command_is_one_line_that_names_the_mistake(
    groundwire: Command, arguments: list[str], stated: str
) -> None:
    refused = groundwire(*arguments)
    assert (refused.code, refused.out) == (2, "")
    assert stated.lower() in refused.line.lower()


def test_the_help_marks_the_tenant_as_required(groundwire: Command) -> None:
    shown = " ".join(groundwire("key", "list", "--help", COLUMNS="200").done().out.split())
    assert "Name or id of the tenant. Required, except with `groundwire --url`." in shown


def test_text_that_is_no_text_is_still_answered_in_one_line(groundwire: Command) -> None:
    for command in (["tenant", "create"], ["tenant", "delete"]):
        refused = groundwire(*command, "\udcff")
        assert refused.code in {1, 2}
        assert refused.line


def test_the_version_is_printed(groundwire: Command) -> None:
    assert groundwire("--version").done().out.startswith("groundwire ")


def test_a_shell_gets_its_completion(groundwire: Command) -> None:
    completed = groundwire(_GROUNDWIRE_COMPLETE="complete_zsh", _TYPER_COMPLETE_ARGS="groundwire ten")
    assert "tenant" in completed.out


@pytest.mark.parametrize(
    ("setting", "value"),
    [("BOGUS", "1"), ("THREADS", "none"), ("LINK_SECONDS", "0"), ("PUBLIC_URL", "ftp://docs.example")],
)
def test_a_setting_that_cannot_be_is_one_line_that_names_it(groundwire: Command, setting: str, value: str) -> None:
    refused = groundwire("tenant", "list", **{f"GROUNDWIRE_{setting}": value})
    assert refused.code == 2
    assert f"GROUNDWIRE_{setting}" in refused.line


def test_a_command_that_misses_its_tenant_names_the_only_one(groundwire: Command, tenant: str) -> None:
    missing = groundwire("key", "list")
    assert (missing.code, missing.line) == (2, "Name the tenant with --tenant (-t): acme is the only one.")
    groundwire.tenant("north")
    assert groundwire("key", "list").line.endswith("`groundwire tenant list` lists them.")


def test_empty_lists_say_so_and_are_empty_json(groundwire: Command, tenant: str) -> None:
    for command, text in (
        (["key", "list"], "There are no keys yet."),
        (["user", "list"], "No user has stored tags."),
        (["collection", "list"], "There are no collections yet."),
        (["documents", "list"], "There are no documents yet. Add some with `groundwire ingest PATH`."),
    ):
        assert groundwire(*command, "-t", tenant).done().out == f"{text}\n"
        assert groundwire.json(*command, "-t", tenant) == []


def test_doctor_finds_a_sound_installation_sound(groundwire: Command, tenant: str) -> None:
    checks = groundwire.json("doctor")
    assert all(check["ok"] for check in checks)
    assert {check["check"] for check in checks} >= {"python", "home", "registry", "model", "parser", "audit"}
    assert "seccomp" in groundwire("doctor").done().out


def test_doctor_names_what_is_wrong_and_fails(groundwire: Command, tenant: str, tmp_path: Path) -> None:
    examined = groundwire("doctor", GROUNDWIRE_MODEL=str(tmp_path / "nowhere"))
    assert examined.code == 1
    assert "groundwire model build" in examined.line
    assert "ok  registry" in examined.out


def test_the_model_is_described_after_its_files_were_checked(groundwire: Command) -> None:
    facts = groundwire.json("model", "info")
    assert facts["name"] == "all-MiniLM-L6-v2-int8"
    assert facts["dimension"] == 384
    assert Path(facts["folder"]).is_dir()


def test_building_a_model_that_is_there_changes_nothing(groundwire: Command) -> None:
    folder = Path(groundwire.json("model", "info")["folder"])
    before = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    assert str(folder) in groundwire("model", "build").done().out
    assert {path: path.stat().st_mtime_ns for path in folder.iterdir()} == before
