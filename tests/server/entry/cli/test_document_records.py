"""`documents` prints the whole record of a document, its passages, and its near duplicates."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.documents.pdf import pdf
from tests.support.entry.command import Command, clean_environment


def test_the_record_states_what_made_it_and_how_long_that_took(groundwire: Command, tenant: str, note: Path) -> None:
    groundwire("collection", "set", "manuals", "-t", tenant, "--language", "de").done()
    groundwire.ingest(tenant, note, "--id", "pumps", "--public", "-c", "manuals", "--meta", "year=2024")
    record = groundwire.json("documents", "show", "pumps", "-t", tenant)
    assert (record["language"], record["metadata"], record["state"]) == ("de", {"year": 2024.0}, "indexed")
    assert set(record["timings"]) == {"parse", "embed", "index"}
    assert all(seconds >= 0 for seconds in record["timings"].values())
    assert record["parser"].startswith("xberg-")
    assert record["model"]
    assert record["windows"] >= 0
    shown = groundwire("documents", "show", "pumps", "-t", tenant).done().out
    assert "year = 2024" in shown
    assert all(f"{step} " in shown for step in ("parse", "embed", "index"))


def test_passages_are_listed_with_pages_headline_and_uid(groundwire: Command, tenant: str, note: Path) -> None:
    groundwire.ingest(tenant, note, "--id", "pumps", "--public")
    passages = groundwire.json("documents", "show", "pumps", "-t", tenant, "--segments")["passages"]
    assert [each["ordinal"] for each in passages] == list(range(len(passages)))
    assert all(each["uid"].startswith("pumps.") and each["headline"] for each in passages)
    assert [each["page_first"] for each in passages] == [None] * len(passages)
    shown = groundwire("documents", "show", "pumps", "-t", tenant, "--segments").done().out
    assert all(each["uid"] in shown and each["text"].splitlines()[-1] in shown for each in passages)


def test_passages_are_printed_as_agents_get_them_with_tables_drawn_and_windows(
    groundwire: Command, tenant: str, note: Path
) -> None:
    table = "".join(f"| Pump {number} of the old yard by the quay | {number}0 litres |\n" for number in range(12))
    note.write_text(f"# Pumps\n\nAll pumps.\n\n| Pump | Output |\n|---|---|\n{table}")
    groundwire.ingest(tenant, note, "--id", "pumps", "--public")
    [passage] = groundwire.json("documents", "show", "pumps", "-t", tenant)["passages"]
    assert len(passage["windows"]) > 1
    shown = groundwire("documents", "show", "pumps", "-t", tenant).done().out
    assert "Pump 3 of the old yard by the quay | 30 litres" in passage["text"]
    assert "│ Pump 3 of the old yard by the quay  │ 30 litres  │" in shown
    assert all(f"window {number}: " in shown for number in range(1, len(passage["windows"]) + 1))


def test_ten_passages_are_printed_unless_all_are_requested(groundwire: Command, tenant: str, note: Path) -> None:
    note.write_text("".join(f"# Part {number}\n\nThe pump {number} takes water.\n\n" for number in range(13)))
    groundwire.ingest(tenant, note, "--id", "pumps", "--public")
    shown = groundwire("documents", "show", "pumps", "-t", tenant).done().out
    assert ("pump 9 takes" in shown, "pump 10 takes" in shown, "3 more passages. Print all with --all." in shown) == (
        True,
        False,
        True,
    )
    assert "pump 12 takes" in groundwire("documents", "show", "pumps", "-t", tenant, "--all").done().out


def test_defects_of_the_reading_are_shown_in_words(groundwire: Command, tenant: str, tmp_path: Path) -> None:
    page = [(12, "The blue pump takes 40 litres an hour."), (1, "Unseen words.")]
    (tmp_path / "pumps.pdf").write_bytes(pdf([page]))
    groundwire.ingest(tenant, tmp_path / "pumps.pdf", "--id", "pumps", "--public")
    shown = groundwire("documents", "show", "pumps", "-t", tenant).done().out
    assert "defects              1 page with hidden text" in shown
    assert "page 1: " in shown
    assert "Unseen" not in shown


def test_another_language_of_the_collection_reads_its_documents_again(
    groundwire: Command, tenant: str, note: Path
) -> None:
    groundwire.ingest(tenant, note, "--id", "pumps", "--public")
    weight = groundwire.json("collection", "show", "default", "-t", tenant)["bm25_weight"]
    groundwire("collection", "set", "default", "-t", tenant, "--language", "fr").done()
    assert groundwire.json("collection", "show", "default", "-t", tenant)["bm25_weight"] == weight
    [row] = groundwire.ingest(tenant, note, "--id", "pumps", "--public")
    assert (row["status"], row["embedded"]) == ("indexed", 0)
    assert groundwire.json("documents", "show", "pumps", "-t", tenant)["language"] == "fr"
    refused = groundwire("collection", "set", "default", "-t", tenant, "--language", "French")
    assert (refused.code, "two letters" in refused.line) == (2, True)


def test_changed_metadata_is_a_new_version_with_the_old_vectors(groundwire: Command, tenant: str, note: Path) -> None:
    groundwire.ingest(tenant, note, "--id", "pumps", "--public", "--meta", "year=2023")
    [row] = groundwire.ingest(tenant, note, "--id", "pumps", "--public", "--meta", "year=2024")
    assert (row["status"], row["embedded"]) == ("indexed", 0)
    assert groundwire.json("documents", "show", "pumps", "-t", tenant)["metadata"] == {"year": 2024.0}


def test_metadata_is_shown_as_an_option_would_say_it(groundwire: Command, tenant: str, note: Path) -> None:
    stated = ["order=1234567", "score=4.5", "live=true", "tags=[pumps, valves]", "reviewed=2024-05-31"]
    options = [part for one in stated for part in ("--meta", one)]
    groundwire.ingest(tenant, note, "--id", "pumps", "--public", *options)
    shown = groundwire("documents", "show", "pumps", "-t", tenant, COLUMNS="400").done().out
    assert all(one.replace("=", " = ") in shown for one in stated)


def test_near_duplicates_are_reported_and_listed_and_both_stay(
    groundwire: Command, tenant: str, tmp_path: Path
) -> None:
    words = " ".join(f"word{number} pump" for number in range(200))
    for name, text in {"one.txt": words, "two.txt": f"{words} more", "other.txt": "The valves close by hand."}.items():
        (tmp_path / name).write_text(text)
    reported = groundwire("ingest", *(str(path) for path in sorted(tmp_path.glob("*.txt"))), "-t", tenant, "--public")
    assert "1 pair of documents has nearly the same text: one.txt and two.txt" in reported.err
    [pair] = groundwire.json("documents", "duplicates", "-t", tenant)
    assert {pair["file"], pair["other_file"]} == {"one.txt", "two.txt"}
    assert 0.8 <= pair["resemblance"] <= 1
    assert len(groundwire.json("documents", "list", "-t", tenant)) == 3


@pytest.mark.parametrize("what", ["ingest", "reindex"])
def test_what_embeds_for_long_lets_servers_go_first(groundwire: Command, tenant: str, note: Path, what: str) -> None:
    typed = {
        "ingest": ["ingest", str(note), "-t", tenant, "--public"],
        "reindex": ["reindex", tenant, "--model", "all-MiniLM-L6-v2-int8"],
    }
    ran = (
        "import os, sys; from groundwire.entry.cli import main; before = os.getpriority(os.PRIO_PROCESS, 0)\n"
        "try: main.main()\n"
        "except SystemExit: print(before, os.getpriority(os.PRIO_PROCESS, 0))\n"
    )
    environment = clean_environment() | {"GROUNDWIRE_HOME": str(groundwire.home)}
    done = subprocess.run(
        [sys.executable, "-c", ran, *typed[what]], env=environment, capture_output=True, text=True, check=True
    )
    before, after = map(int, done.stdout.splitlines()[-1].split())
    assert after == max(before, 10)
    assert os.getpriority(os.PRIO_PROCESS, 0) <= before


def test_a_list_of_documents_is_narrowed_by_name_path_state_and_number(
    groundwire: Command, tenant: str, tmp_path: Path
) -> None:
    for part in ("hr", "sales"):
        (tmp_path / "files" / part).mkdir(parents=True)
        (tmp_path / "files" / part / "plan.txt").write_text(f"The {part} plan.\n")
    (tmp_path / "files" / "pump.md").write_text("The pump.\n")
    groundwire.ingest(tenant, tmp_path / "files", "--public")
    listing = ("documents", "list", "-t", tenant)

    def found(*options: str) -> list[str]:
        return [row["source_path"].rpartition("/files/")[2] for row in groundwire.json(*listing, *options)]

    assert sorted(found("--name", "plan.*")) == ["hr/plan.txt", "sales/plan.txt"]
    assert found("--name", "*/hr/*") == ["hr/plan.txt"]
    assert len(found("--state", "indexed")) == 3
    assert found("--state", "failed") == found("--name", "*.pdf") == []
    assert len(found("--limit", "2")) == 2
    few = groundwire(*listing, "--limit", "1").done()
    assert "2 more documents match" in few.err
    assert "path" not in few.out
    everything = groundwire(*listing).done()
    assert "/files/hr/plan.txt" in everything.out
    assert "passages" in everything.out
    assert "segments" not in everything.out
    assert not everything.err
    assert "No document matches" in groundwire(*listing, "--name", "*.pdf").done().out
    assert groundwire(*listing, "--state", "lost").code == 2
