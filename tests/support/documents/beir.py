"""A small test set in the layout of BEIR, written where a test wants it."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

DOCUMENTS: Final = (
    ("pumps", "Pumps", "The blue pump takes forty litres an hour.\n\nIts seal is changed every spring."),
    ("valves", "Valves", "Valves close by hand, a quarter turn to the right."),
    ("leave", "Holidays", "Everybody has thirty days of annual leave."),
    ("weird id/7", "Boats", "The ferry leaves at noon from the old harbour."),
    ("untitled", "", "Bread is baked at four in the morning."),
    ("empty", "Only a title about kites", ""),
)
QUESTIONS: Final = (
    ("1", "How much water does the blue pump move?"),
    ("2", "How are valves closed?"),
    ("3", "When does the boat depart?"),
    ("4", "When is bread made?"),
    ("5", "kites"),
)
JUDGED: Final = (
    ("1", "pumps", 2),
    ("1", "valves", 0),
    ("2", "valves", 1),
    ("3", "weird id/7", 1),
    ("4", "untitled", 1),
    ("5", "empty", 1),
)


def write(
    folder: Path,
    documents: Sequence[tuple[str, str, str]] | None = DOCUMENTS,
    questions: Sequence[tuple[str, str]] = QUESTIONS,
    judged: Sequence[tuple[str, str, int]] = JUDGED,
) -> Path:
    """The folder; without documents there is no corpus."""
    folder.mkdir(parents=True, exist_ok=True)
    if documents is not None:
        lines(folder / "corpus.jsonl", [{"_id": name, "title": title, "text": text} for name, title, text in documents])
    lines(folder / "queries.jsonl", [{"_id": name, "text": text} for name, text in questions])
    rows = ["query-id\tcorpus-id\tscore", *(f"{question}\t{name}\t{grade}" for question, name, grade in judged)]
    (folder / "qrels.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    return folder


def lines(path: Path, rows: Sequence[Mapping[str, object]]) -> None:
    """One JSON object on each line."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
