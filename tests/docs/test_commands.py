"""Pages document every command and option, and document no command or option that does not exist."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import pytest
import typer.main

from groundwire.entry.cli.main import app
from tests.support.documentation.pages import GUIDES, commands, quoted, rows, text_of
from tests.support.entry.command import Command

FOR_EVERY_COMMAND: Final = {"--json", "--yes", "-y", "-t", "-c"}
"""Options that a page documents once for all commands, or short forms of options that are named."""
_OPTION: Final = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]*")
_CALL: Final = re.compile(r"(?:^|[ (])groundwire ([a-z][a-z-]*(?: [a-z][a-z-]*)?)", re.MULTILINE)


def command_options() -> Mapping[str, set[str]]:
    """The options of every command, by the words that call it."""
    tree = typer.main.get_command(app)
    found: dict[str, set[str]] = {}

    def walk(command: object, words: tuple[str, ...]) -> None:
        below: Mapping[str, object] = getattr(command, "commands", {})
        if not below:
            parameters: list[object] = getattr(command, "params", [])
            found[" ".join(words)] = {name for one in parameters for name in options_of(one)}
        for name, each in below.items():
            walk(each, (*words, name))

    walk(tree, ())
    return found


def options_of(parameter: object) -> Iterator[str]:
    names: list[str] = [*getattr(parameter, "opts", []), *getattr(parameter, "secondary_opts", [])]
    return (name for name in names if name.startswith("-"))


COMMANDS: Final = command_options()
STATED: Final = "\n".join(page.read_text(encoding="utf-8") for page in GUIDES)


def called(text: str) -> list[str]:
    """The first two words after the command's name, wherever it is called."""
    return [found for found in _CALL.findall(text) if not text.startswith("claude ")]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_on_a_page(command: str) -> None:
    assert re.search(rf"groundwire {command}\b", STATED)


@pytest.mark.parametrize("option", sorted(set().union(*COMMANDS.values()) - FOR_EVERY_COMMAND))
def test_every_option_is_on_a_page(option: str) -> None:
    assert re.search(rf"{option}(?![\w-])", STATED)


@pytest.mark.parametrize("page", GUIDES, ids=lambda page: page.stem)
def test_every_command_on_a_page_is_there(page: Path) -> None:
    groups = {name.split()[0] for name in COMMANDS}
    for text in [*commands(page), *quoted(page.read_text(encoding="utf-8"))]:
        for words in called(text):
            first, _, second = words.partition(" ")
            assert first in groups, text
            assert first in COMMANDS or not second or words in COMMANDS, text


@pytest.mark.parametrize("page", GUIDES, ids=lambda page: page.stem)
def test_every_option_in_a_typed_command_is_one_of_that_command(page: Path) -> None:
    for typed in commands(page):
        for name, options in COMMANDS.items():
            if re.search(rf"groundwire {name}(?= |$)", typed):
                assert set(_OPTION.findall(typed.partition("groundwire ")[2])) <= options


@pytest.mark.parametrize(
    ("option", "target"), [("--stack", "groundwire-dev"), ("--url", "https://groundwire.example.com")]
)
def test_the_page_on_other_machines_has_the_commands_that_an_option_takes(
    option: str, target: str, tmp_path: Path
) -> None:
    refused = Command(tmp_path, {"GROUNDWIRE_KEY": "gw_local_x"})(option, target, "serve")
    taken = refused.line.partition(f"With {option} you can use: ")[2].removesuffix(".").split(", ")
    *_, listed = next(row for row in rows(text_of("operate/remote")) if row[0].startswith(f"`{option} "))
    assert sorted(re.findall(r"`([a-z]+)`", listed)) == taken
