"""The bench of the planner's parts, over a test set of three documents."""

import json
from pathlib import Path

import pytest

from bench.conversations import ablation
from bench.conversations.parts import PARTS, PLANS
from groundwire import wiring
from groundwire.adapters.planning.rule_planner import RulePlanner
from groundwire.entry.cli.evaluate.documents import DocumentsToSearch
from groundwire.services.search.planning import planner
from groundwire.wiring.local.test_sets import TestSetFolder

TEXTS = {"oil": "The wheel pump needs oil.", "bread": "Bread is baked at noon.", "hall": "The hall opens at eight."}


def test_the_ablation_measures_the_planner_without_each_part_and_puts_the_parts_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDWIRE_HOME", str(tmp_path / "home"))
    wiring.reset()
    folder = tmp_path / "small"
    folder.mkdir()
    corpus = [json.dumps({"_id": name, "title": "", "text": text}) for name, text in TEXTS.items()]
    (folder / "corpus.jsonl").write_text("\n".join(corpus), encoding="utf-8")
    turns = [{"role": "user", "text": "What does the pump need?"}]
    line = {"id": "a", "class": "single", "set": "small", "turns": turns, "rewrite": ["oil"], "relevant": ["oil"]}
    file = tmp_path / "talks.jsonl"
    file.write_text(json.dumps(line), encoding="utf-8")
    before = {name: getattr(planner, name) for name in ("_joined", "questions_of", "own_text")}

    sets = [DocumentsToSearch(TestSetFolder(folder, None), None, None, tmp_path / "cache", None)]
    report = ablation.run([file], sets, lambda turns, most: tuple(RulePlanner().plan(turns, most).queries))
    wiring.reset()

    over_files, of_file = report.figures
    rows = {name: recall for name, *recall in over_files.rows}
    assert set(rows) >= {"whole planner", *PLANS, *(f"without {part}" for part in PARTS)}
    assert rows["whole planner"] == [1.0, 1.0]
    assert of_file.columns == ("", "single", ablation.ALL)
    assert {name: getattr(planner, name) for name in before} == before
