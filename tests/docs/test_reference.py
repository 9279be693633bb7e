"""Generated pages equal what the code generates now; help texts keep the rules of language, and their examples work."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest
from typer import TyperException
from typer.core import TyperGroup

from tests.support.documentation.language import broken_rules
from tests.support.documentation.reference.command_tree import CommandHelp, called_arguments, command_helps, tree
from tests.support.documentation.reference.pages import GENERATED_PAGES

HELPS: Final = command_helps()
COMMANDS: Final = [each for each in HELPS if not each.is_group]


@pytest.mark.parametrize("page", GENERATED_PAGES, ids=lambda page: page.stem)
def test_a_generated_page_is_as_the_code_makes_it(page: Path) -> None:
    is_current = page.read_text(encoding="utf-8") == GENERATED_PAGES[page]()
    assert is_current, f"{page.name} differs from the code: run `make reference` and commit the page."


def test_help_texts_keep_the_rules_of_language() -> None:
    assert list(broken_rules("\n\n".join(text for each in HELPS for text in each.texts if text))) == []


@pytest.mark.parametrize("command", HELPS, ids=lambda each: each.name)
def test_every_command_and_option_has_a_help_text(command: CommandHelp) -> None:
    assert all(command.texts)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda each: each.name)
def test_every_command_has_an_example_of_itself_that_it_accepts(
    command: CommandHelp, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert command.examples
    for example in command.examples:
        variables, words = called_arguments(example)
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        assert tuple(words[: len(command.words)]) == tuple(command.words)
        parse(words, len(command.words))


def test_an_example_with_an_unknown_option_or_without_an_argument_is_refused() -> None:
    for example in ("tenant create acme --unknown", "tenant create", "audit list --last none"):
        with pytest.raises(TyperException):
            parse(example.split(), 2)


def parse(words: Sequence[str], depth: int) -> None:
    """Parses the arguments as the command line does, without running the command."""
    command = tree()
    for word in words[:depth]:
        assert isinstance(command, TyperGroup)
        command = command.commands[word]
    command.make_context(words[depth - 1], list(words[depth:]), resilient_parsing=False)
