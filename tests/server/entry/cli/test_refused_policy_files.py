"""Side files written by anybody: a refused one costs nothing, changes nobody's readers and is named by `doctor`."""

from pathlib import Path

import pytest

from tests.support.entry.command import Command


def bomb(levels: int) -> str:
    """Nine aliases at each level, as a field's name."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 9)}]" for level in range(1, levels)]
    return "\n".join([*lines, f"? *a{levels - 1}", ": 1", ""])


def merges(levels: int) -> str:
    """Nine merges at each level."""
    lines = ["a0: &a0 {x: 1}"]
    lines += [f"a{level}: &a{level} {{<<: [{', '.join([f'*a{level - 1}'] * 9)}]}}" for level in range(1, levels)]
    return "\n".join([*lines, ""])


HOSTILE = {
    "aliases": bomb(8),
    "merge keys": merges(10),
    "an anchor": "users: &all [ann]\n",
    "a list as a field's name": "? [a, b]\n: 1\n",
    "a mapping as a field's name": "? {a: b}\n: 1\n",
    "a mapping in a list": "users: [{a: b}]\n",
    "a list in a list": "users: [[a]]\n",
    "deep nesting": "users: " + "[" * 100_000,
    "5,000 values": f"users: [{', '.join(['a'] * 5_000)}]\n",
    "two documents": "users: [a]\n---\nusers: [b]\n",
    "an empty number": "year: !!int ''\n",
    "no truth value": "open: !!bool maybe\n",
    "a long number": f"n: {':'.join(['1'] * 50_000)}\n",
    "too many bytes": f"# {'x' * 1_000_000}\n",
}


def ingested(groundwire: Command, tenant: str, folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "board.md").write_text("# Board\n\nThe blue pump is for sale.\n")
    (folder / ".policy.yaml").write_text("users: [ann]\n")
    groundwire("ingest", str(folder), "-t", tenant).done()


@pytest.mark.parametrize("name", [".policy.yaml", ".meta.yaml", "board.md.meta.yaml"])
@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_side_file_is_refused_by_name_and_readers_stay(
    groundwire: Command, tenant: str, tmp_path: Path, kind: str, name: str
) -> None:
    folder = tmp_path / "shelf"
    ingested(groundwire, tenant, folder)
    (folder / name).write_text(HOSTILE[kind])
    refused = groundwire("ingest", str(folder), "-t", tenant)
    assert (refused.code, refused.out) == (2, "")
    assert str(folder / name) in refused.line
    [known] = groundwire.json("documents", "list", "-t", tenant)
    assert (known["policy"]["users"], known["version"]) == (["ann"], 1)


def test_doctor_names_a_refused_policy_file_above_a_document(groundwire: Command, tenant: str, tmp_path: Path) -> None:
    folder = tmp_path / "shelf" / "sales"
    folder.parent.mkdir()
    ingested(groundwire, tenant, folder)
    assert groundwire("doctor").code == 0
    (folder / ".policy.yaml").unlink()
    (folder.parent / ".policy.yaml").write_text("users: &all [ann]\n")
    [finding] = [each for each in groundwire("doctor", "--json").json if not each["ok"]]
    assert finding["check"] == "policies"
    assert str(folder.parent / ".policy.yaml") in finding["detail"]


def test_doctor_passes_over_documents_whose_folder_no_longer_exists(
    groundwire: Command, tenant: str, tmp_path: Path
) -> None:
    folder = tmp_path / "shelf"
    ingested(groundwire, tenant, folder)
    for file in folder.iterdir():
        file.unlink()
    folder.rmdir()
    assert groundwire("doctor").code == 0
