"""The bench of reading compares Groundwire's own parser with references, and reports who could not read what."""

import json
import sys
from pathlib import Path

import pytest

from bench.reading import __main__ as bench
from bench.reading.measures import Measures, total
from bench.reading.outcome import FileOutcomes, Outcome, sums
from bench.reading.readers import Peer
from bench.reading.reading import UnreadableFile
from bench.reading.references import Reference
from bench.reading.share import Share
from tests.e2e.benches.reading.pdf_pages import pdf_of


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    (tmp_path / "truth").mkdir()
    (tmp_path / "note.md").write_text("# Pumps\n\nA blue pump.\n\n| Pump | Litres |\n| - | - |\n| Blue | 40 |\n")
    (tmp_path / "truth" / "note.md.md").write_text(
        "# Pumps\n\nThe blue pump.\n\n| Pump | Litres |\n| - | - |\n| Blue | 40 |\n"
    )
    rows = [("Pump", "2023", "2024"), ("Blue pump", "40", "41"), ("Green pump", "50", "51"), ("Red pump", "60", "61")]
    cells = [
        (x, 650 - 15 * at, cell) for at, row in enumerate(rows) for x, cell in zip((72, 300, 400), row, strict=True)
    ]
    (tmp_path / "sheet.pdf").write_bytes(pdf_of([[(72, 700, "Litres of every pump in the hall."), *cells]]))
    (tmp_path / "scan.pdf").write_bytes(pdf_of([[]]))
    (tmp_path / "other.txt").write_text("Text that nobody wrote down.")
    (tmp_path / "titles.json").write_text(json.dumps({"sheet.pdf": "Pumps of the hall"}))
    return tmp_path


def test_files_are_measured_against_their_truth_or_their_text_layer(documents: Path) -> None:
    report = bench.run(documents, [])
    document = json.loads(report.json())
    found = {each["file"]: each["readers"]["groundwire"] for each in document["files"]}

    assert {each["file"]: each["reference"] for each in document["files"]} == {
        "note.md": "truth",
        "sheet.pdf": "text layer",
    }
    assert found["note.md"]["recall"] == {"count": 7, "of": 8}
    assert found["note.md"]["precision"] == {"count": 7, "of": 8}
    assert found["note.md"]["rows"] == {"count": 2, "of": 2}
    assert found["note.md"]["headings"] == found["note.md"]["title"] == {"count": 1, "of": 1}
    assert found["sheet.pdf"]["recall"] == found["sheet.pdf"]["precision"]
    assert found["sheet.pdf"]["rows"] == {"count": 4, "of": 4}
    assert found["sheet.pdf"]["title"] == {"count": 0, "of": 1}
    assert found["sheet.pdf"]["pages"]["of"] == 1
    assert document["unmeasured"] == ["other.txt", "scan.pdf"]


def test_a_peer_that_is_not_there_is_a_row_with_its_reason(documents: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def uninstalled(name: str) -> Peer:
        return Peer(name, Path(sys.executable))

    monkeypatch.setattr(bench, "peer", uninstalled)
    text = bench.run(documents, ["markitdown"]).markdown()

    assert text.count("| markitdown | could not run: ModuleNotFoundError: No module named 'markitdown'") == 2
    assert "**sum of 2 files** |  | groundwire" in text


def test_a_peer_that_cannot_be_installed_is_one_row(documents: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> Peer:
        raise UnreadableFile(f"{name} not installed: no network")

    monkeypatch.setattr(bench, "peer", absent)
    assert (
        "| all |  | docling | could not run: docling not installed: no network |"
        in bench.run(documents, ["docling"]).markdown()
    )


def outcome(name: str, **read: int | None) -> FileOutcomes:
    """A file with the words that each reader found of ten; None where it failed."""
    found = {
        reader: Outcome(None, 0.0, "broken") if words is None else Outcome(Measures(recall=Share(words, 10)), 1.0)
        for reader, words in read.items()
    }
    return FileOutcomes(Reference(Path(name), "truth", [], [], [], False, None, []), found)


def test_sums_compare_readers_over_the_files_that_both_read() -> None:
    outcomes = [outcome("a", ours=10, theirs=8), outcome("b", ours=6, theirs=None)]
    found = {(each.files, each.reader): each.measures.recall for each in sums(outcomes)}
    assert found == {(2, "ours"): Share(16, 20), (1, "ours"): Share(10, 10), (1, "theirs"): Share(8, 10)}


def test_files_weigh_by_what_they_have() -> None:
    assert total([Measures(recall=Share(90, 100)), Measures(recall=Share(0, 1))]).recall.value == pytest.approx(
        90 / 101
    )
