"""Messages for people and models are plain technical English, and each is in the words of its interface."""

import ast
import re

import pytest

from tests.support.documentation.messages import (
    Message,
    MessageKind,
    broken_message_rules,
    command_functions,
    error_classes,
    is_sentence,
    messages,
    messages_of,
    modules,
    names_of_commands,
)

LEAST_BY_KIND = {
    MessageKind.ERROR: 800,
    MessageKind.CONSOLE: 100,
    MessageKind.PROMPT: 5,
    MessageKind.HELP: 180,
    MessageKind.LOG: 8,
    MessageKind.SENTENCE: 800,
}


def found(source: str, file: str = "services/a.py") -> list[tuple[str, str]]:
    """Kind and text of each message of a module."""
    tree = ast.parse(source)
    return [(each.kind.value, each.text) for each in messages_of(file, tree, error_classes([tree]))]


def test_messages_keep_the_rules_of_language() -> None:
    assert [line for message in messages() for line in broken_message_rules(message)] == []


def test_a_message_that_recommends_another_attempt_states_try_again() -> None:
    other = re.compile(r"(?i)(?:[:;.,] |\band |\bthen )repeat\b(?! (?:for|the option) )")
    assert [str(message) for message in messages() if other.search(message.text)] == []


def test_no_text_for_a_client_names_a_command_or_a_setting() -> None:
    assert [line for file, tree in modules().items() for line in names_of_commands(file, tree)] == []


def test_messages_of_each_kind_are_found() -> None:
    for kind, least in LEAST_BY_KIND.items():
        assert sum(message.kind is kind for message in messages()) >= least, kind


def test_the_help_of_every_command_of_the_root_is_a_message() -> None:
    commands = command_functions(modules()["entry/cli/main.py"])
    assert {"ingest", "search", "serve", "doctor", "backup"} <= commands
    helps = [message.text for message in messages() if message.kind is MessageKind.HELP]
    assert "Add or update documents; unchanged files are skipped." in {text.partition("\n")[0] for text in helps}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("class A(DomainError): ...\nclass B(A): ...\nraise B('not found')", ("error", "not found")),
        ("raise errors.ProtocolError(CODE, f'no {name!r} here')", ("error", "no X here")),
        ("raise ValueError('the {} is wrong'.format(name))", ("error", "the X is wrong")),
        ("warn('two ' + 'words each' if a else 'or so')", ("console", "words each")),
        ("typer.Option(help='Two words.')", ("help", "Two words.")),
        ("typer.confirm('Delete it?')", ("prompt", "Delete it?")),
        ("_log.warning('not warmed: %s', error)", ("log", "not warmed: %s")),
        ("A = 'This is a whole sentence.'", ("sentence", "This is a whole sentence.")),
    ],
)
def test_a_message_is_found_with_its_kind_and_placeholders(source: str, expected: tuple[str, str]) -> None:
    assert expected in found(source)


@pytest.mark.parametrize(
    "text", ["SELECT a FROM b WHERE c = ?", "Sequence[str] | None", r"(?:a|b) \w+ is the one", "one two three"]
)
def test_a_technical_text_is_no_sentence(text: str) -> None:
    assert not is_sentence(text)


@pytest.mark.parametrize(
    ("text", "breach"),
    [
        (" ".join(["word"] * 26), "26 words"),
        ("The header says no.", "'says'"),
        ("Build it anew.", "'anew'"),
        ("Short.\nNo key reaches it.", "'reaches'"),
    ],
)
def test_a_breach_is_named(text: str, breach: str) -> None:
    [line] = broken_message_rules(Message("services/a.py", 1, MessageKind.ERROR, text))
    assert line.startswith("services/a.py:1")
    assert breach in line


@pytest.mark.parametrize(
    "text", ["run `groundwire reindex`", "set GROUNDWIRE_HOME", "leave --tenant out", "groundwire tenant NAME lists"]
)
def test_a_command_an_option_and_a_setting_are_found_in_texts_for_clients(text: str) -> None:
    tree = ast.parse(f"A = {text!r}")
    assert list(names_of_commands("services/a.py", tree))
    assert not list(names_of_commands("entry/cli/a.py", tree))
