"""A tenant's index goes into a file and comes back out of it, vectors and all, however often that is cut off."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groundwire import wiring
from tests.support.entry.command import Command

NOTES = {
    f"note-{number}.md": f"# Pump {number}\n\nPump {number} takes {number}0 litres an hour.\n" for number in range(3)
}


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    for name, text in NOTES.items():
        (folder / name).write_text(text)
    return folder


@pytest.fixture
def filled(groundwire: Command, tenant: str, notes: Path) -> str:
    groundwire.ingest(tenant, notes, "--public")
    return tenant


def found(groundwire: Command, tenant: str) -> list[Any]:
    return list(groundwire.json("search", "pump litres", "-t", tenant))


def discard_index(groundwire: Command, tenant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As when another engine, that has nothing yet, is put in its place."""
    with monkeypatch.context() as patch:
        patch.setenv("GROUNDWIRE_HOME", str(groundwire.home))
        wiring.reset()
        wiring.local_services().stores.indexes.drop(tenant)
    wiring.reset()


def test_what_comes_back_is_found_as_it_was(
    groundwire: Command, filled: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, copy = found(groundwire, filled), str(tmp_path / "acme.gz")
    assert len(before) == 3
    assert groundwire.json("index", "export", copy, "-t", filled)["written"] == 3
    discard_index(groundwire, filled, monkeypatch)
    assert found(groundwire, filled) == []
    assert groundwire.json("index", "import", copy, "-t", filled) == {
        "tenant": filled,
        "written": 3,
        "present": 0,
        "unknown": 0,
    }
    assert found(groundwire, filled) == before
    assert groundwire.json("index", "import", copy, "-t", filled)["present"] == 3


def test_an_export_that_was_cut_off_is_continued(
    groundwire: Command, filled: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "acme.gz"
    groundwire.json("index", "export", str(copy), "-t", filled)
    whole = gzip.decompress(copy.read_bytes()).splitlines()
    before = found(groundwire, filled)
    copy.write_bytes(copy.read_bytes()[: copy.stat().st_size // 2])
    unfinished = groundwire("index", "import", str(copy), "-t", filled)
    assert (unfinished.code, "until it ends" in unfinished.line) == (2, True)
    again = groundwire.json("index", "export", str(copy), "-t", filled)
    assert (again["kept"] > 0, again["kept"] + again["written"]) == (True, 3)
    assert sorted(gzip.decompress(copy.read_bytes()).splitlines()[:-1]) == sorted(whole[:-1])
    discard_index(groundwire, filled, monkeypatch)
    groundwire("index", "import", str(copy), "-t", filled).done()
    assert found(groundwire, filled) == before


def test_a_document_that_changed_or_went_since_is_left_out(
    groundwire: Command, filled: str, notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = str(tmp_path / "acme.gz")
    groundwire.json("index", "export", copy, "-t", filled)
    documents = groundwire.json("documents", "list", "-t", filled)
    groundwire("documents", "delete", documents[0]["doc_id"], "-t", filled, "--yes").done()
    (notes / documents[1]["file"]).write_text("Nothing of the kind any more.\n")
    groundwire.ingest(filled, notes / documents[1]["file"], "--public")
    groundwire("documents", "set-policy", documents[2]["doc_id"], "-t", filled, "--user", "ann").done()
    discard_index(groundwire, filled, monkeypatch)
    done = groundwire.json("index", "import", copy, "-t", filled)
    assert (done["written"], done["unknown"]) == (1, 2)
    assert found(groundwire, filled) == []
    as_ann = groundwire.json("search", "pump litres", "-t", filled, "--user", "ann")
    assert {row["doc_id"] for row in as_ann} == {documents[2]["doc_id"]}


def test_another_tenants_copy_is_refused(groundwire: Command, filled: str, tmp_path: Path) -> None:
    copy = str(tmp_path / "acme.gz")
    groundwire.json("index", "export", copy, "-t", filled)
    other = groundwire.tenant("blue")
    refused = groundwire("index", "import", copy, "-t", other)
    assert (refused.code, filled in refused.line) == (1, True)
    overwritten = groundwire("index", "export", copy, "-t", other)
    assert (overwritten.code, "another file" in overwritten.line) == (2, True)


def test_vectors_of_another_model_are_refused(groundwire: Command, filled: str, tmp_path: Path) -> None:
    copy = tmp_path / "acme.gz"
    groundwire.json("index", "export", str(copy), "-t", filled)
    first, *others = gzip.decompress(copy.read_bytes()).splitlines()
    header = json.loads(first) | {"model": {"name": "another", "dimension": 384}}
    lines = [json.dumps(header).encode(), *others]
    copy.write_bytes(b"".join(gzip.compress(line) for line in lines))
    refused = groundwire("index", "import", str(copy), "-t", filled)
    assert (refused.code, "another" in refused.line) == (2, True)


@pytest.mark.parametrize(
    "content",
    [b"", b"no gzip", gzip.compress(b"[]", mtime=0), gzip.compress(b'{"end": 1}', mtime=0)],
    ids=["nothing", "no gzip", "no object", "no header"],
)
def test_a_file_that_is_no_copy_is_refused_in_one_line(
    groundwire: Command, filled: str, tmp_path: Path, content: bytes
) -> None:
    copy = tmp_path / "other.gz"
    copy.write_bytes(content)
    refused = groundwire("index", "import", str(copy), "-t", filled)
    assert (refused.code, "copy of an index" in refused.line) == (2, True)


def test_a_file_of_somebody_else_is_never_overwritten(groundwire: Command, filled: str, tmp_path: Path) -> None:
    report = tmp_path / "report.docx"
    report.write_bytes(b"years of work")
    refused = groundwire("index", "export", str(report), "-t", filled)
    assert (refused.code, "another file" in refused.line) == (2, True)
    assert report.read_bytes() == b"years of work"


@pytest.mark.parametrize("change", [{"tenant": None, "model": 1}, {"model": {"name": "x"}}])
def test_a_header_that_somebody_changed_is_refused_in_one_line(
    groundwire: Command, filled: str, tmp_path: Path, change: dict[str, object]
) -> None:
    copy = tmp_path / "acme.gz"
    rewrite(groundwire, filled, copy, lambda number, line: line | change if number == 0 else line)
    refused = groundwire("index", "import", str(copy), "-t", filled)
    assert (refused.code, "copy of an index" in refused.line) == (2, True)


@pytest.mark.parametrize("lost", ["vector", "uid", "sketch", "windows"])
def test_a_row_that_somebody_changed_is_refused_in_one_line(
    groundwire: Command, filled: str, tmp_path: Path, lost: str
) -> None:
    def without(_number: int, line: dict[str, Any]) -> dict[str, Any]:
        for row in line.get("rows", []):
            del row[lost]
        return line

    copy = tmp_path / "acme.gz"
    rewrite(groundwire, filled, copy, without)
    refused = groundwire("index", "import", str(copy), "-t", filled)
    assert (refused.code, "copy of an index" in refused.line) == (2, True)


def rewrite(
    groundwire: Command, tenant: str, copy: Path, change: Callable[[int, dict[str, Any]], dict[str, Any]]
) -> None:
    """The tenant's index is in the file, each line of it changed."""
    groundwire.json("index", "export", str(copy), "-t", tenant)
    lines = [json.loads(line) for line in gzip.decompress(copy.read_bytes()).splitlines()]
    changed = [json.dumps(change(number, line)).encode() for number, line in enumerate(lines)]
    copy.write_bytes(b"".join(gzip.compress(line) for line in changed))


def test_a_document_that_the_index_does_not_show_whole_is_reported_and_not_copied(
    groundwire: Command, filled: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "acme.gz"
    discard_index(groundwire, filled, monkeypatch)
    refused = groundwire("index", "export", str(copy), "-t", filled)
    assert (refused.code, "3 documents" in refused.line) == (1, True)
    assert b"rows" not in gzip.decompress(copy.read_bytes())
    unfinished = groundwire("index", "import", str(copy), "-t", filled)
    assert (unfinished.code, "until it ends" in unfinished.line) == (2, True)


def test_it_goes_to_opensearch_and_back_and_is_the_same(
    groundwire: Command, filled: str, tmp_path: Path, opensearch_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = Command(groundwire.home, {"GROUNDWIRE_INDEX": opensearch_url})
    here_copy, there_copy = tmp_path / "here.gz", tmp_path / "there.gz"
    before = found(groundwire, filled)
    groundwire.json("index", "export", str(here_copy), "-t", filled)
    assert found(there, filled) == []
    assert there.json("index", "import", str(here_copy), "-t", filled)["written"] == 3
    assert [row["segment_uid"] for row in found(there, filled)] == [row["segment_uid"] for row in before]
    assert there.json("index", "export", str(there_copy), "-t", filled)["written"] == 3
    assert lines_of(there_copy) == lines_of(here_copy)
    discard_index(groundwire, filled, monkeypatch)
    groundwire.json("index", "import", str(there_copy), "-t", filled)
    assert found(groundwire, filled) == before
    there("tenant", "delete", filled, "--yes").done()


def lines_of(copy: Path) -> list[bytes]:
    return sorted(gzip.decompress(copy.read_bytes()).splitlines())


def test_a_copy_is_readable_by_its_owner_alone(groundwire: Command, filled: str, tmp_path: Path) -> None:
    copy = tmp_path / "acme.gz"
    groundwire("index", "export", str(copy), "-t", filled).done()
    assert copy.stat().st_mode & 0o077 == 0
