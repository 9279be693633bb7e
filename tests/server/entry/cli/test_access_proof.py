"""`groundwire access prove`: policy files are judged as `ingest` reads them, and a hole is shown with its reader."""

from pathlib import Path

import pytest

from groundwire.adapters.local.ingest.folder_objects import FolderObjects
from tests.support.entry.command import Command


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder of two policy files and three documents."""
    inner = tmp_path / "pay" / "board"
    inner.mkdir(parents=True)
    (inner.parent / "bands.md").write_text("# Bands\n")
    (inner.parent / "rises.md").write_text("# Rises\n")
    (inner / "bonus.md").write_text("# Bonus\n")
    (inner.parent / ".policy.yaml").write_text('all_tags: ["department:hr", "level:manager"]\n')
    (inner / ".policy.yaml").write_text('any_tags: ["board"]\nall_tags: ["department:hr"]\n')
    return inner.parent


def _prove(folder: Path, *tags: str) -> list[str]:
    return ["access", "prove", str(folder), *(word for tag in tags for word in ("--never-readable-without", tag))]


def test_a_tag_that_every_policy_file_requires_is_proved_without_a_home(groundwire: Command, folder: Path) -> None:
    proved = groundwire(*_prove(folder, "department:hr")).done().out
    assert f"Proved: nobody reads a file of {folder} without department:hr." in " ".join(proved.split())
    assert "Files: 3. Without readers: 0, of which without a policy file: 0." in proved
    assert "Everyone is each user of the tenant, with any tags but the one in question." in " ".join(proved.split())
    assert not groundwire.home.exists()


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        ("public: true", "Everybody of the tenant can read {file}, by public: true in {policy}."),
        (
            'users: ["ines", "olga"]\nany_tags: ["board"]\nall_tags: ["department:hr"]',
            "The user ines without any tag can read {file}, by users: [ines] in {policy}.",
        ),
        (
            'any_tags: ["board", "department:hr"]',
            "Somebody with the tag board alone can read {file}, by any_tags: [board] in {policy}.",
        ),
        (
            'any_tags: ["x", "y"]\nall_tags: ["z"]',
            "Somebody with the tags x, z alone can read {file}, by any_tags: [x] and all_tags: [z] in {policy}.",
        ),
    ],
)
def test_a_hole_is_stated_with_the_file_the_clause_and_the_reader(
    groundwire: Command, folder: Path, policy: str, words: str
) -> None:
    inner = folder / "board"
    (inner / ".policy.yaml").write_text(policy + "\n")
    failed = groundwire(*_prove(folder, "department:hr"))
    assert failed.code == 1
    assert words.format(file=inner / "bonus.md", policy=inner / ".policy.yaml") in " ".join(failed.out.split())


def test_each_of_several_tags_must_be_required(groundwire: Command, folder: Path) -> None:
    failed = groundwire(*_prove(folder, "level:manager", "department:hr"), "--json")
    assert failed.code == 1
    assert failed.json == {
        "proved": False,
        "files": 3,
        "files_without_readers": 0,
        "files_without_policy_file": 0,
        "tags": [
            {"tag": "department:hr", "proved": True, "counterexamples": []},
            {
                "tag": "level:manager",
                "proved": False,
                "counterexamples": [
                    {
                        "file": str(folder / "board" / "bonus.md"),
                        "files": 1,
                        "policy_file": str(folder / "board" / ".policy.yaml"),
                        "clause": "tags",
                        "user": None,
                        "tags": ["board", "department:hr"],
                    }
                ],
            },
        ],
    }


def test_files_without_a_policy_file_are_read_by_nobody_and_counted(groundwire: Command, folder: Path) -> None:
    (folder / ".policy.yaml").unlink()
    proved = groundwire(*_prove(folder, "department:hr"), "--json").done().json
    assert (proved["files"], proved["files_without_readers"], proved["files_without_policy_file"]) == (3, 2, 2)


def test_the_policy_file_of_a_folder_above_applies(groundwire: Command, folder: Path) -> None:
    (folder / "board" / ".policy.yaml").unlink()
    groundwire(*_prove(folder / "board", "level:manager")).done()


def test_what_ingest_refuses_is_not_proved(groundwire: Command, folder: Path) -> None:
    (folder / "board" / ".policy.yml").write_text("users: [chief]\n")
    refused = groundwire(*_prove(folder, "department:hr"))
    assert refused.code == 2
    assert "is not a valid name of a policy or metadata file" in refused.line


def test_nothing_is_proved_of_a_folder_without_documents(groundwire: Command, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    refused = groundwire(*_prove(tmp_path / "empty", "department:hr"))
    assert (refused.code, "there is nothing to prove" in refused.line) == (2, True)


def test_nothing_is_proved_of_a_folder_that_cannot_be_listed(
    groundwire: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def list_subtree(_sources: FolderObjects, _tenant: str, prefix: str, after: str, _most: int) -> list[str]:
        # The form in which a port names such a folder; root, who may run this, could list any.
        return [] if after else [f"{prefix}bands.md", f"{prefix}board/"]

    monkeypatch.setattr(FolderObjects, "list_subtree", list_subtree)
    refused = groundwire(*_prove(folder, "department:hr"))
    assert (refused.code, f"{folder}/board/ cannot be listed" in refused.line) == (2, True)


def test_a_misspelt_tag_is_pointed_out(groundwire: Command, folder: Path) -> None:
    failed = groundwire(*_prove(folder, "level:manger"))
    assert failed.code == 1
    assert failed.line == "No policy file names the tag 'level:manger'. Did you mean 'level:manager'?"
