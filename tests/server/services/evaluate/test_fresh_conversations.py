"""The conversations of `bench/conversations/fresh.jsonl`, whose documents are published beside them."""

import json
import shlex
import sys
from pathlib import Path
from typing import Final

import pytest

from bench.conversations import ablation
from groundwire import wiring
from groundwire.services.evaluate.conversations import Conversation
from groundwire.wiring.local.test_sets import TestSetFolder, read_conversations
from tests.support.documentation.pages import ROOT, commands
from tests.support.entry.command import Command

FOLDER: Final = ROOT / "bench" / "conversations" / "fresh"
FILE: Final = FOLDER.with_suffix(".jsonl")
FEWEST: Final = 60
MOST_BYTES: Final = 200_000
CLEARLY_LESS: Final = 0.2


def published() -> list[Conversation]:
    return read_conversations([FILE])


def documents() -> list[str]:
    return [document.id for document in TestSetFolder(FOLDER, None).corpus()]


def test_the_fresh_file_has_at_least_sixty_conversations_of_its_own_set() -> None:
    assert len(published()) >= FEWEST
    assert {each.test_set for each in published()} == {FOLDER.name}


def test_every_expected_document_of_the_fresh_file_exists_once() -> None:
    names = documents()
    assert len(set(names)) == len(names)
    assert {name for each in published() for name in each.relevant} <= set(names)


def test_every_fresh_conversation_has_a_message_before_its_last_one() -> None:
    assert [each.id for each in published() if len(each.turns) < 2] == []


def test_fresh_file_and_documents_stay_small() -> None:
    assert sum(path.stat().st_size for path in (FILE, *FOLDER.iterdir())) < MOST_BYTES


def test_the_rewritten_queries_find_every_document_and_the_last_message_alone_clearly_fewer(
    groundwire: Command, tmp_path: Path
) -> None:
    cache = str(tmp_path / "cache")
    done = groundwire("eval", str(FOLDER), "--conversations", str(FILE), "--cache", cache, "--json").done()
    assert "do not name one document" not in done.err
    recall = {source: found["mean"] for source, found in done.json["all"]["recall_at_8"].items()}
    assert recall["rewrite"] == 1.0
    assert recall["last"] < recall["all"] - CLEARLY_LESS


def test_the_command_of_the_ablation_shows_that_the_planner_finds_more_than_the_last_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = commands(FOLDER.parent / "README.md")
    command = next(each for each in typed if each.startswith(".venv/bin/python -m bench.conversations.ablation "))
    monkeypatch.setenv("GROUNDWIRE_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(sys, "argv", [*shlex.split(command)[2:], "--json"])
    wiring.reset()
    ablation.main()
    wiring.reset()
    recall = {row[""]: row["all"] for row in json.loads(capsys.readouterr().out)["tables"][0]["rows"]}
    assert recall["whole planner"] > recall["last"] + CLEARLY_LESS
    assert recall["without joined messages"] < recall["whole planner"] - CLEARLY_LESS
