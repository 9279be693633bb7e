"""What strangers wrote is shown on the operator's terminal and never obeyed by it."""

import json
import unicodedata

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from groundwire.entry.cli import console
from tests.support.plugins.draws import examples

TITLE = "\u001b]0;x\u0007"
HOSTILE = st.text(st.characters(categories=("Cc", "Cf", "Cs", "Zl", "Zp")) | st.characters(max_codepoint=0x2FF))
OBEYED = {"Cc", "Cf", "Cs", "Zl", "Zp"}


def obeyed(shown: str) -> set[str]:
    return {letter for letter in shown if letter != "\n" and unicodedata.category(letter) in OBEYED}


@given(text=HOSTILE)
@settings(deadline=None, max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_nothing_of_a_strangers_text_reaches_the_terminal_as_an_order(
    capsys: pytest.CaptureFixture[str], text: str
) -> None:
    console.print_line(text)
    console.print_rows([{"call": text, "tags": [text]}], ["call", "tags"], as_json=False, empty_message="")
    console.print_json({"call": text})
    assert obeyed(capsys.readouterr().out) <= {"\t"}


def test_what_is_not_obeyed_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    console.print_rows([{"call": TITLE}], ["call"], as_json=False, empty_message="")
    assert r"\x1b]0;x\x07" in capsys.readouterr().out


@pytest.mark.parametrize(
    "text", [":smile: [bold]not bold[/bold] [/]", "[link=https://x.example]x[/link] 3.14 'a' :+1:"]
)
def test_text_that_looks_like_markup_is_printed_as_it_is(capsys: pytest.CaptureFixture[str], text: str) -> None:
    console.print_line(text)
    console.print_line(text, style="dim")
    console.warn(text)
    console.print_rows([], ["call"], as_json=False, empty_message=text)
    console.print_rows([{"call": text}], ["call"], as_json=False, empty_message="")
    console.print_table([[text, text]])
    shown = capsys.readouterr()
    assert [shown.out.count(text), shown.err.count(text)] == [6, 1]


def test_json_on_the_screen_is_exactly_what_was_written(capsys: pytest.CaptureFixture[str]) -> None:
    value = {"call": TITLE + "\u009b\u202e\U000e0041\u2028 größe\u00a0部門\n"}
    console.print_json(value)
    assert json.loads(capsys.readouterr().out) == value
