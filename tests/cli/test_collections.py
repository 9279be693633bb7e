"""Collections: each with its weight and its documents."""

from pathlib import Path

import pytest

from tests.support.entry.command import Command


def test_a_collection_is_made_by_the_first_document_or_manually(groundwire: Command, tenant: str, note: Path) -> None:
    groundwire.ingest(tenant, note, "-c", "manuals")
    groundwire("collection", "set", "empty", "-t", tenant, "--bm25-weight", "1").done()
    rows = {row["name"]: row for row in groundwire.json("collection", "list", "-t", tenant)}
    assert rows["manuals"] == {"name": "manuals", "documents": 1, "bm25_weight": 0.4, "language": None}
    assert rows["empty"] == {"name": "empty", "documents": 0, "bm25_weight": 1.0, "language": None}
    assert groundwire.json("collection", "show", "manuals", "-t", tenant) == rows["manuals"]
    assert "documents" in groundwire("collection", "show", "manuals", "-t", tenant).done().out


@pytest.mark.parametrize(("name", "weight"), [("manuals", "1.5"), ("manuals", "nan"), ("../x", "0.5"), ("a", "much")])
def test_a_weight_or_name_that_cannot_be_is_refused(groundwire: Command, tenant: str, name: str, weight: str) -> None:
    refused = groundwire("collection", "set", name, "-t", tenant, "--bm25-weight", weight)
    assert refused.code == 2
    assert refused.line
    assert groundwire.json("collection", "list", "-t", tenant) == []


def test_a_deleted_collection_takes_its_documents_along_and_no_others(
    groundwire: Command, tenant: str, note: Path
) -> None:
    other = note.with_name("other.md")
    other.write_text("# Other\n\nOther pumps.\n")
    groundwire.ingest(tenant, note, "-c", "manuals", "--public")
    groundwire.ingest(tenant, other, "-c", "letters", "--public")
    groundwire("collection", "delete", "manuals", "-t", tenant, typed="n\n")
    assert len(groundwire.json("documents", "list", "-t", tenant)) == 2
    assert "1 document" in groundwire("collection", "delete", "manuals", "-t", tenant, "--yes").done().out
    assert [row["file"] for row in groundwire.json("documents", "list", "-t", tenant)] == ["other.md"]
    assert [row["name"] for row in groundwire.json("collection", "list", "-t", tenant)] == ["letters"]


def test_a_missing_collection_is_reported_as_missing(groundwire: Command, tenant: str) -> None:
    for verb in (["show", "nope"], ["delete", "nope", "--yes"]):
        missing = groundwire("collection", *verb, "-t", tenant)
        assert missing.code == 1
        assert "'nope'" in missing.line
