"""Enrichment: a program of the owner's adds to the passages; what it may not do, and what it cannot spoil."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from groundwire.adapters.local.ingest.enricher_command import CommandEnricher
from groundwire.domain.documents.segment import Segment
from groundwire.domain.errors import InvalidInput, Unavailable
from groundwire.domain.limits import (
    MAX_CONTEXT_CHARACTERS,
    MAX_QUESTION_CHARACTERS,
    MAX_QUESTIONS,
    SUMMARY_MAX_CHARACTERS,
)
from groundwire.ports import Enrichment
from groundwire.services.ingest.rows.enrichment import apply_enrichments, enrich
from groundwire.services.ingest.rows.segments import embedding_key, embedding_text, window_texts
from tests.support.documentation.pages import ROOT, blocks

Program = Callable[[str], CommandEnricher]


def segment(text: str, *path: str) -> Segment:
    return Segment("d.0", "d", 1, "c", 0, text, path, None, None, "Headline", "Summary.", title="Handbook")


SEGMENTS = [segment("Doors close at ten.", "Handbook", "House"), segment("R\u00e4ume sind frei.", "Handbook", "Rooms")]


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """An enricher that runs the given lines of Python."""

    def made(source: str) -> CommandEnricher:
        script = tmp_path / "my enricher.py"
        script.write_text(f"import json, sys\n{source}\n")
        return CommandEnricher(f"{sys.executable} '{script}'", start_seconds=20, seconds_per_segment=0)

    return made


def answering(answer: str) -> str:
    return f"document = json.load(sys.stdin)\nfor s in document['segments']: print(json.dumps({answer}))"


def test_the_program_of_the_guide_works(program: Program) -> None:
    page = ROOT / "docs" / "ingest" / "enrichment.md"
    [example] = [block.text for block in blocks(page) if block.language == "python"]

    assert program(example).enrich("Handbook", SEGMENTS) == [
        Enrichment("From Handbook > House.", None, ("What does Handbook say here?",)),
        Enrichment("From Handbook > Rooms.", None, ("What does Handbook say here?",)),
    ]


def test_the_text_of_the_program_is_searched_and_its_summary_shown(program: Program) -> None:
    enricher = program(answering("{'context': s['text'].upper(), 'summary': 'In short.', 'questions': ['When?']}"))
    result = enrich(enricher, "Handbook", SEGMENTS)
    first = result.segments[0]

    assert result.failure is None
    assert (first.context, first.summary, first.questions) == ("DOORS CLOSE AT TEN.", "In short.", ("When?",))
    assert embedding_text(first) == "Handbook > House\nDOORS CLOSE AT TEN.\nDoors close at ten."
    assert window_texts(first) == ["When?"]
    assert embedding_key(first) != embedding_key(SEGMENTS[0])
    assert (first.uid, first.text) == (SEGMENTS[0].uid, SEGMENTS[0].text)


def test_fields_may_be_left_out_and_the_summary_of_ours_stays(program: Program) -> None:
    result = enrich(program(answering("{'context': None, 'questions': None, 'summary': ''}")), "Handbook", SEGMENTS)

    assert list(result.segments) == SEGMENTS
    assert result.failure is None


def test_the_text_of_the_program_is_cleaned_and_bounded() -> None:
    hostile = "see\u200b ![x](https://evil.example/p.png) \U000e0041" + " word" * 400
    [found] = apply_enrichments(SEGMENTS[:1], [Enrichment(hostile, hostile, ("\u200b", *[hostile] * 9))])

    assert len(found.context) <= MAX_CONTEXT_CHARACTERS
    assert len(found.summary) <= SUMMARY_MAX_CHARACTERS
    assert len(found.questions) == MAX_QUESTIONS
    assert all(0 < len(question) <= MAX_QUESTION_CHARACTERS for question in found.questions)
    stated = " ".join((found.context, found.summary, *found.questions))
    assert "![" not in stated
    assert stated.isascii()
    assert stated.endswith("word")


FAILURES: dict[str, tuple[str, str]] = {
    "its own words": ("sys.exit('the key\\u200b has expired')", "exit code 1: the key has expired"),
    "too few lines": ("print('{}')", "1 lines for 2 passages"),
    "no JSON": ("print('{}\\nSure!')", "line 2"),
    "no object": ("print('[]\\n{}')", "line 1"),
    "a context that is no text": ("print('{\"context\": 3}\\n{}')", "line 1"),
    "questions that are no list": ('print(\'{}\\n{"questions": "Why?"}\')', "line 2"),
    "questions that are no texts": ("print('{}\\n{\"questions\": [1]}')", "line 2"),
    "no text": ("sys.stdout.buffer.write(b'\\xff\\n\\xff\\n')", "line 1"),
    "nested without end": ("print('[' * 100000 + '\\n{}')", "line 1"),
    "a crash": ("import os; os.abort()", "exit code -6"),
}


@pytest.mark.parametrize("kind", FAILURES)
def test_a_program_that_fails_leaves_the_document_as_it_is_and_the_owner_is_informed(
    program: Program, kind: str
) -> None:
    source, reason = FAILURES[kind]

    result = enrich(program(source), "Handbook", SEGMENTS)

    assert list(result.segments) == SEGMENTS
    assert result.failure is not None
    assert reason in result.failure


def test_a_program_that_takes_too_long_is_ended_with_what_it_started(tmp_path: Path) -> None:
    script = tmp_path / "slow.sh"
    script.write_text(f"sleep 300 & echo $! > {tmp_path}/child\nwait\n")
    enricher = CommandEnricher(f"sh {script}", start_seconds=1.0, seconds_per_segment=0.0)

    with pytest.raises(Unavailable, match="longer than 1 s"):
        enricher.enrich("Handbook", SEGMENTS)

    assert _is_deleted(int((tmp_path / "child").read_text()))


def _is_deleted(pid: int) -> bool:
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        if Path(f"/proc/{pid}/stat").read_text(encoding="ascii").split()[2] == "Z":
            return True
    return False


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stop_while_the_program_starts_ends_the_program(
    program: Program, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    started: list[subprocess.Popen[bytes]] = []

    class Interrupted(subprocess.Popen[bytes]):
        """A program during whose start a signal comes."""

        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            started.append(self)
            signal.raise_signal(number)

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    enricher = program("import time; time.sleep(600)")
    before = signal.signal(number, stop)
    try:
        monkeypatch.setattr(subprocess, "Popen", Interrupted)
        with pytest.raises(KeyboardInterrupt):
            enricher.enrich("Handbook", SEGMENTS)
        assert signal.getsignal(number) is stop
    finally:
        signal.signal(number, before)
    assert [each.returncode for each in started] == [-signal.SIGKILL]


def test_a_program_that_answers_without_reading_its_input_is_used(program: Program) -> None:
    many = [segment("x" * 1000)] * 200

    assert len(program("print('{}\\n' * 200, end='')").enrich("Handbook", many)) == 200


@pytest.mark.parametrize("command", ["no-such-program-anywhere", "", "'unclosed"])
def test_a_command_that_cannot_be_run_is_refused_before_anything_is_read(command: str) -> None:
    with pytest.raises(InvalidInput, match=r"GROUNDWIRE_ENRICHER .*python3 enrich\.py|GROUNDWIRE_ENRICHER cannot"):
        CommandEnricher(command)


def test_a_changed_command_line_changes_the_version() -> None:
    once, again, other = (CommandEnricher(command).version for command in ("cat", "cat", "cat --prompt=2"))

    assert once == again
    assert once != other
