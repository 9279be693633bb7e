"""Readers of several documents by one command, which prints them first."""

from pathlib import Path

import pytest

from tests.support.entry.command import Command

SALES = ("--any-tag", "department:sales", "--yes")


@pytest.fixture
def ids(groundwire: Command, tenant: str, tmp_path: Path) -> dict[str, str]:
    """Ids by file name: two notes of different years and one of another folder, all public."""
    for name, year in (("old/first.md", 2018), ("old/second.md", 2019), ("new/third.md", 2024)):
        path = tmp_path / "files" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"---\nyear: {year}\n---\nThe pump of {name}.\n")
    rows = groundwire.ingest(tenant, tmp_path / "files", "--public", "-c", "handbook")
    return {row["file"]: row["doc_id"] for row in rows}


def readers(groundwire: Command, tenant: str) -> dict[str, str]:
    return {row["file"]: row["readers"] for row in groundwire.json("documents", "list", "-t", tenant)}


def test_several_ids_and_conditions_select_documents(groundwire: Command, tenant: str, ids: dict[str, str]) -> None:
    before = readers(groundwire, tenant)
    closed = groundwire("documents", "set-policy", *ids.values(), "-t", tenant, "--nobody", "--yes").done()
    assert "New readers of 3 documents: nobody." in closed.out
    assert set(readers(groundwire, tenant).values()) != set(before.values())
    for doc_id in ids.values():
        groundwire("documents", "lift", doc_id, "-t", tenant).done()
    assert readers(groundwire, tenant) == before

    set_policy = ("documents", "set-policy", "-t", tenant)
    groundwire(*set_policy, "--collection", "handbook", "--where", "year < 2020", *SALES).done()
    changed = readers(groundwire, tenant)
    assert changed["third.md"] == before["third.md"]
    assert "department:sales" in changed["first.md"]
    assert changed["first.md"] == changed["second.md"]
    groundwire(*set_policy, "--name", "third.*", *SALES).done()
    assert len(set(readers(groundwire, tenant).values())) == 1


def test_the_plan_is_confirmed_before_anything_changes(groundwire: Command, tenant: str, ids: dict[str, str]) -> None:
    before = readers(groundwire, tenant)
    set_policy = ("documents", "set-policy", "-t", tenant, "--nobody")

    refused = groundwire(*set_policy, "-c", "handbook", typed="n\n")

    assert refused.code == 1
    assert all(name in refused.out for name in ids)
    assert "New readers of 3 documents: nobody. Go on?" in refused.err
    assert readers(groundwire, tenant) == before
    groundwire(*set_policy, "-c", "handbook", typed="y\n").done()
    assert readers(groundwire, tenant) != before


@pytest.mark.parametrize(
    "selection",
    [
        ("d-1", "--collection", "handbook"),
        (),
        ("--where", "year >"),
        ("--name", "*.pdf"),
        ("--collection", "handbok"),
        ("first", "nowhere"),
    ],
)
def test_a_selection_without_documents_changes_nothing(
    groundwire: Command, tenant: str, ids: dict[str, str], selection: tuple[str, ...]
) -> None:
    named = [ids["first.md"] if each == "first" else each for each in selection]
    before = readers(groundwire, tenant)

    refused = groundwire("documents", "set-policy", *named, "-t", tenant, "--nobody", "--yes")

    assert refused.code in {1, 2}
    assert refused.line
    assert readers(groundwire, tenant) == before


def test_the_copies_of_several_documents_are_named_once(
    groundwire: Command, tenant: str, ids: dict[str, str], tmp_path: Path
) -> None:
    [copy] = groundwire.ingest(tenant, tmp_path / "files" / "old" / "first.md", "--public", "-c", "other")

    changed = groundwire("documents", "set-policy", "-c", "handbook", "-t", tenant, "--nobody", "--yes").done()

    assert changed.err.count("The same content is in 1 other document") == 1
    assert copy["doc_id"] in changed.err
    assert ids
