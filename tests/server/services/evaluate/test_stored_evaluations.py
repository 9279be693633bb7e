"""`groundwire evaluation`: what `groundwire eval` stored of a tenant's documents."""

from pathlib import Path

import pytest

from groundwire.entry.cli.evaluate import command as evaluate
from tests.support.documents import beir
from tests.support.entry.command import Command


@pytest.fixture
def owner(groundwire: Command, tmp_path: Path) -> str:
    """A tenant with one public document."""
    tenant = groundwire.tenant("acme")
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "valves.md").write_text("Valves close by hand.", encoding="utf-8")
    (folder / ".policy.yaml").write_text("public: true\n", encoding="utf-8")
    groundwire.ingest(tenant, folder, "-c", "shelf")
    return tenant


def measure(groundwire: Command, owner: str, tmp_path: Path, judged: str) -> str:
    """Measure one question, of which `judged` is the answer; return the id of the stored evaluation."""
    folder = beir.write(tmp_path / "own", None, [("valves", "How are valves closed?")], [("valves", judged, 1)])
    groundwire("eval", str(folder), "-t", owner, "-c", "shelf").done()
    return str(groundwire.json("evaluation", "list", "-t", owner)[0]["id"])


def test_an_evaluation_of_a_tenants_documents_is_stored_and_shown(
    groundwire: Command, owner: str, tmp_path: Path
) -> None:
    assert "Run `groundwire eval` first" in groundwire("evaluation", "list", "-t", owner).done().out
    made = measure(groundwire, owner, tmp_path, "valves.md")
    [listed] = groundwire.json("evaluation", "list", "-t", owner)
    assert (listed["name"], listed["collection"], listed["questions"]) == ("own", "shelf", 1)
    assert "1.0000" in groundwire("evaluation", "list", "-t", owner).done().out
    [question] = groundwire.json("evaluation", "show", made, "-t", owner)["per_question"]
    assert question["text"] == "How are valves closed?"
    assert "1.000" in groundwire("evaluation", "show", made, "-t", owner).done().out


def test_a_gate_that_fails_is_an_exit_code(groundwire: Command, owner: str, tmp_path: Path) -> None:
    earlier = measure(groundwire, owner, tmp_path, "valves.md")
    later = measure(groundwire, owner, tmp_path, "hoses.md")
    compared = groundwire("evaluation", "compare", later, earlier, "-t", owner).done()
    assert "1.000 -> 0.000  How are valves closed? (valves)" in compared.out
    failed = groundwire("evaluation", "compare", later, earlier, "--max-loss", "0.5", "-t", owner)
    assert (failed.code, "The gate failed: the mean may fall by 0.5." in failed.out) == (1, True)
    passed = groundwire("evaluation", "compare", earlier, later, "--max-loss", "0", "-t", owner)
    assert (passed.code, "The gate passed" in passed.out) == (0, True)


def test_an_evaluation_is_deleted_and_an_unknown_one_is_named(groundwire: Command, owner: str, tmp_path: Path) -> None:
    made = measure(groundwire, owner, tmp_path, "valves.md")
    groundwire("evaluation", "delete", made, "-t", owner).done()
    assert groundwire.json("evaluation", "list", "-t", owner) == []
    assert "`groundwire evaluation list` names them" in groundwire("evaluation", "show", made, "-t", owner).line


def test_a_test_set_with_its_own_documents_has_no_owner(groundwire: Command, owner: str, tmp_path: Path) -> None:
    groundwire("eval", str(beir.write(tmp_path / "small"))).done()
    assert groundwire.json("evaluation", "list", "-t", owner) == []


def test_an_evaluation_with_too_many_questions_is_printed_and_not_stored(
    groundwire: Command, owner: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evaluate, "MAX_EVALUATION_QUESTIONS", 0)
    folder = beir.write(tmp_path / "own", None, [("valves", "How are valves closed?")], [("valves", "valves.md", 1)])
    done = groundwire("eval", str(folder), "-t", owner).done()
    assert "is not stored" in done.err
    assert groundwire.json("evaluation", "list", "-t", owner) == []
