"""A policy file that was meant but cannot be followed stops the run: its folder never falls to the policy above."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from groundwire import wiring
from groundwire.domain.access.policy import NO_READERS
from groundwire.domain.errors import InvalidInput
from groundwire.services.ingest.source_objects.sidecars import FilePolicy, SidecarResolver
from tests.support.entry.command import Command


def _link(target: str) -> Callable[[Path], None]:
    return lambda policy: policy.symlink_to(target)


def _no_text(policy: Path) -> None:
    policy.write_bytes(b"\xff\xfe")


NOT_TO_BE_FOLLOWED: dict[str, Callable[[Path], None]] = {
    "a dangling link": _link("missing.yaml"),
    "a link to a good one": _link("../good.yaml"),
    "a loop of links": _link(".policy.yaml"),
    "a folder": Path.mkdir,
    "a pipe": os.mkfifo,
    "no text": _no_text,
}


@pytest.fixture
def folder(note: Path) -> Path:
    """Return a folder inside of a folder that everybody may read."""
    (note.parent / ".policy.yaml").write_text("public: true\n")
    (note.parent / "good.yaml").write_text("public: true\n")
    inner = note.parent / "inner"
    inner.mkdir()
    (inner / "board.md").write_text("# Board\n\nThe blue pump is for sale.\n")
    return inner


def _nothing_came_in(groundwire: Command, tenant: str, folder: Path, *stated: str) -> None:
    refused = groundwire("ingest", str(folder.parent), "-t", tenant)
    assert refused.code == 2
    for words in stated:
        assert words in refused.line
    assert groundwire.json("documents", "list", "-t", tenant) == []


@pytest.mark.parametrize("kind", NOT_TO_BE_FOLLOWED)
def test_a_policy_file_that_cannot_be_followed_stops_the_run_before_anything_comes_in(
    groundwire: Command, tenant: str, folder: Path, kind: str
) -> None:
    policy = folder / ".policy.yaml"
    NOT_TO_BE_FOLLOWED[kind](policy)
    _nothing_came_in(groundwire, tenant, folder, str(policy))


@pytest.mark.parametrize(
    "name", [".policy.yml", ".Policy.yaml", ".POLICY.YML", ".policy.YAML", ".policy.yaml.txt", ".policy.yml.txt"]
)
@pytest.mark.parametrize("beside_a_good_one", [True, False])
def test_a_policy_file_of_nearly_the_right_name_stops_the_run_and_the_right_name_is_shown(
    groundwire: Command, tenant: str, folder: Path, name: str, *, beside_a_good_one: bool
) -> None:
    (folder / name).write_text("users: [chief]\n")
    if beside_a_good_one:
        (folder / ".policy.yaml").write_text("users: [chief]\n")
    _nothing_came_in(
        groundwire,
        tenant,
        folder,
        str(folder / name),
        f"is not a valid name of a policy or metadata file: rename it to {folder}/.policy.yaml",
    )


@pytest.mark.parametrize("name", ["policy.md", ".policy.yaml~", ".policy.yaml.bak"])
def test_other_names_and_copies_that_editors_leave_are_in_nobodys_way(
    groundwire: Command, tenant: str, folder: Path, name: str
) -> None:
    (folder / ".policy.yaml").write_text("users: [chief]\n")
    (folder / name).write_text("# Policy\n\nWords.\n")
    groundwire("ingest", str(folder), "-t", tenant).done()


def test_all_policies_are_understood_before_the_first_file_comes_in(
    groundwire: Command, tenant: str, folder: Path
) -> None:
    last = folder.parent / "zoo"
    last.mkdir()
    (last / "last.md").write_text("# Last\n\nWords.\n")
    (last / ".policy.yaml").write_text("publik: true\n")
    _nothing_came_in(groundwire, tenant, folder, "publik")


def test_a_policy_file_of_another_user_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    policy = folder / ".policy.yaml"
    policy.write_text("public: true\n")
    if os.getuid() == 0:
        os.chown(policy, 1, -1)
    else:
        monkeypatch.setattr(os, "getuid", lambda: policy.stat().st_uid + 1)
    services = wiring.local_services()
    with pytest.raises(InvalidInput, match="another user"):
        services.files.sidecar_resolver(services.files.folder_objects([folder], 0.0)).nearest_policy(
            f"{folder}/board.md"
        )


def test_a_field_that_is_given_twice_stops_the_run(groundwire: Command, tenant: str, folder: Path) -> None:
    (folder / ".policy.yaml").write_text("users: [boss]\npublic: false\npublic: true\n")
    _nothing_came_in(groundwire, tenant, folder, "the field public occurs twice")


@pytest.mark.parametrize(
    ("content", "place", "remedy"),
    [
        ('public: true\nany_tags: ["a"\nusers: ["b"]\n', " at line 2, column 11", "`]` at its end"),
        ("any_tags: [a b\n", " at line 1, column 11", "`]` at its end"),
        ('users: ["ana]\n', " at line 1, column 9", "a closing quote"),
        ("public: true\nusers: a: b\n", " at line 2, column 9", "in quotes"),
        ("public: \x07\n", "", "remove the control character at position 8"),
        ("public: 2024-13-01\n", "", "correct the date or number, or put it in quotes"),
    ],
)
def test_a_policy_file_that_is_no_yaml_is_refused_with_the_place_and_the_remedy(
    groundwire: Command, tenant: str, folder: Path, content: str, place: str, remedy: str
) -> None:
    (folder / ".policy.yaml").write_text(content)
    refused = groundwire("ingest", str(folder), "-t", tenant)
    assert refused.code == 2
    assert refused.line.startswith(f"{folder}/.policy.yaml cannot be read{place}: ")
    assert remedy in refused.line
    assert "unicode string" not in refused.line


def test_a_tightened_policy_file_reaches_documents_without_a_file_and_those_of_other_collections(
    groundwire: Command, tenant: str, folder: Path
) -> None:
    lost = folder / "lost.md"
    lost.write_text("# Lost\n\nThe green pump is for rent.\n")
    groundwire("ingest", str(folder), "-t", tenant, "-c", "one")
    groundwire("ingest", str(folder), "-t", tenant, "-c", "two")
    lost.unlink()
    (folder / ".policy.yaml").write_text("users: [boss]\n")

    groundwire("ingest", str(folder), "-t", tenant, "-c", "one")

    policies = [each["policy"] for each in groundwire.json("documents", "list", "-t", tenant)]
    assert len(policies) == 4
    assert all(policy["users"] == ["boss"] and not policy["public"] for policy in policies)


def test_what_is_set_manually_while_the_run_goes_on_holds_for_documents_of_other_collections_too(
    groundwire: Command, tenant: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    groundwire("ingest", str(folder), "-t", tenant, "-c", "one").done()
    [known] = groundwire.json("documents", "list", "-t", tenant)
    nearest = SidecarResolver.nearest_policy

    def closed_meanwhile(sidecars: SidecarResolver, path: str) -> FilePolicy:
        [tenant_id] = [each.tenant for each in wiring.local_services().stores.tenants.all()]
        wiring.local_services().administration.document_admin.override_policy(tenant_id, known["doc_id"], NO_READERS)
        return nearest(sidecars, path)

    monkeypatch.setattr(SidecarResolver, "nearest_policy", closed_meanwhile)
    groundwire("ingest", str(folder), "-t", tenant, "-c", "two").done()
    monkeypatch.undo()

    [stored] = groundwire.json("documents", "list", "-t", tenant, "-c", "one")
    assert stored["policy"]["public"] is False


def test_documents_in_another_collection_keep_the_readers_that_an_option_gave(
    groundwire: Command, tenant: str, tmp_path: Path
) -> None:
    alone = tmp_path / "alone"
    alone.mkdir()
    (alone / "a.md").write_text("# A\n\nThe blue pump.\n")
    groundwire("ingest", str(alone), "-t", tenant, "-c", "one", "--public")

    groundwire("ingest", str(alone), "-t", tenant, "-c", "two")

    [first] = groundwire.json("documents", "list", "-t", tenant, "-c", "one")
    assert first["policy"]["public"] is True


def test_what_a_damaged_file_closed_is_not_opened_by_a_run_over_its_folder_for_another_collection(
    groundwire: Command, tenant: str, folder: Path
) -> None:
    (folder / ".policy.yaml").write_text("users: [boss]\n")
    groundwire("ingest", str(folder), "-t", tenant, "-c", "one")
    (folder / "board.md").write_bytes(b"%PDF-1.7 damaged")
    (folder / ".policy.yaml").write_text("public: true\n")
    assert groundwire("ingest", str(folder), "-t", tenant, "-c", "one").code == 1

    groundwire("ingest", str(folder), "-t", tenant, "-c", "two")

    assert groundwire.json("search", "blue pump", "-t", tenant) == []


@pytest.mark.parametrize("options", [(), ("--user", "boss")])
def test_a_file_that_cannot_be_opened_closes_its_document_when_others_shall_read_it(
    groundwire: Command, tenant: str, folder: Path, options: tuple[str, ...]
) -> None:
    file = folder / "board.md"
    (folder / ".policy.yaml").write_text("public: true\n")
    groundwire("ingest", str(file), "-t", tenant)
    file.unlink()
    os.mkfifo(file)
    assert groundwire("ingest", str(file), "-t", tenant).code == 1
    assert len(groundwire.json("search", "blue pump", "-t", tenant)) == 1
    (folder / ".policy.yaml").write_text("users: [boss]\n")

    reported = groundwire("ingest", str(file), "-t", tenant, *options)

    assert "nobody can read the earlier version" in reported.out
    assert groundwire.json("search", "blue pump", "-t", tenant, "--user", "boss") == []
