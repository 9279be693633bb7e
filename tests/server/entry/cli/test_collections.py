"""Collections: each with its weight and its documents."""

from pathlib import Path

import pytest

from tests.support.entry.command import Command


def test_a_collection_is_made_by_the_first_document_or_manually(groundwire: Command, tenant: str, note: Path) -> None:
    groundwire.ingest(tenant, note, "-c", "manuals")
    groundwire("collection", "set", "empty", "-t", tenant, "--bm25-weight", "1").done()
    rows = {row["name"]: row for row in groundwire.json("collection", "list", "-t", tenant)}
    unset = {"language": None, "description": None}
    assert rows["manuals"] == {"name": "manuals", "documents": 1, "bm25_weight": 0.4, **unset}
    assert rows["empty"] == {"name": "empty", "documents": 0, "bm25_weight": 1.0, **unset}
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
    assert "its documents (1)" in groundwire("collection", "delete", "manuals", "-t", tenant, "--yes").done().out
    assert [row["file"] for row in groundwire.json("documents", "list", "-t", tenant)] == ["other.md"]
    assert [row["name"] for row in groundwire.json("collection", "list", "-t", tenant)] == ["letters"]


def test_an_owner_describes_a_collection_and_clears_the_description(groundwire: Command, tenant: str) -> None:
    groundwire("collection", "set", "manuals", "-t", tenant).done()
    described = groundwire("collection", "describe", "manuals", "-t", tenant, "Manuals\nof\u200b pumps.").done()
    assert "Manuals of pumps." in described.out
    assert "Manuals of pumps." in groundwire("collection", "list", "-t", tenant).done().out
    [row] = groundwire.json("collection", "list", "-t", tenant)
    assert row["description"] == "Manuals of pumps."
    groundwire("collection", "describe", "manuals", "-t", tenant, "--clear").done()
    [row] = groundwire.json("collection", "list", "-t", tenant)
    assert row["description"] is None


@pytest.mark.parametrize("stated", [[], [""], ["text", "--clear"], ["--clear", "--propose"], ["\u200b"], ["x" * 301]])
def test_a_description_that_cannot_be_is_refused(groundwire: Command, tenant: str, stated: list[str]) -> None:
    groundwire("collection", "set", "manuals", "-t", tenant).done()
    refused = groundwire("collection", "describe", "manuals", "-t", tenant, *stated)
    assert (refused.code, bool(refused.line)) == (2, True)


def test_a_proposal_is_printed_from_public_documents_and_changes_nothing(
    groundwire: Command, tenant: str, note: Path
) -> None:
    guide = note.with_name("guide.md")
    guide.write_text("# Pump guide\n\n## Oil change\n\nChange the oil of the pump.\n")
    groundwire.ingest(tenant, note, "-c", "manuals")
    closed = groundwire("collection", "describe", "manuals", "-t", tenant, "--propose")
    assert (closed.code, "no public document" in closed.line) == (1, True)
    groundwire.ingest(tenant, guide, "-c", "manuals", "--public")
    proposed = groundwire("collection", "describe", "manuals", "-t", tenant, "--propose").done().out
    assert proposed.startswith("Documents: Pump guide. Sections: Oil change.")
    [row] = groundwire.json("collection", "list", "-t", tenant)
    assert row["description"] is None


def test_a_missing_collection_is_reported_as_missing(groundwire: Command, tenant: str) -> None:
    for verb in (["show", "nope"], ["delete", "nope", "--yes"], ["describe", "nope", "text"]):
        missing = groundwire("collection", *verb, "-t", tenant)
        assert missing.code == 1
        assert "'nope'" in missing.line


def test_a_floor_is_set_and_given_back(groundwire: Command, tenant: str) -> None:
    shown = ("collection", "show", "manuals", "-t", tenant)
    groundwire("collection", "set", "manuals", "-t", tenant, "--floor", "0").done()
    assert groundwire.json(*shown)["floor"] == 0.0
    groundwire("collection", "set", "manuals", "-t", tenant, "--floor", "auto").done()
    assert "floor" not in groundwire.json(*shown)


@pytest.mark.parametrize("floor", ["1.5", "-1", "nan", "none"])
def test_a_floor_that_cannot_be_is_refused(groundwire: Command, tenant: str, floor: str) -> None:
    assert groundwire("collection", "set", "manuals", "-t", tenant, f"--floor={floor}").code == 2
    assert groundwire.json("collection", "list", "-t", tenant) == []
