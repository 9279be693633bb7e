"""Promises of a named folder beside those of `ports.SourceObjects`: nothing behind a link is opened."""

import os
import socket
import stat
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from groundwire.adapters.local.ingest.folder_objects import FolderObjects
from groundwire.domain.errors import DocumentRefused, InvalidInput, NotFound, Unavailable
from groundwire.services.ingest.source_objects.reading import find_and_read, read_current
from groundwire_readers.contents.limits import MAX_DOCUMENT_BYTES
from tests.contract.source_objects.stores import TENANT

NOBODY = 65_534
LINK = "a link: ingest the file that it points to, where the policy of that file applies"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A named folder with a file in a folder of it."""
    made = tmp_path / "named"
    (made / "inner").mkdir(parents=True)
    (made / "inner" / "x.md").write_text("named")
    return made


@pytest.fixture
def private(tmp_path: Path) -> Path:
    """A folder that was not named, with the same names."""
    made = tmp_path / "private"
    made.mkdir()
    (made / "x.md").write_text("private")
    (made / ".policy.yaml").write_text("public: true\n")
    return made


def opened(*paths: Path) -> FolderObjects:
    return FolderObjects(paths, 1_000.0)


def walked(sources: FolderObjects, folder: Path) -> list[str]:
    return [path.removeprefix(f"{folder}/") for path in sources.list_subtree(TENANT, f"{folder}/", "", 1_000)]


@contextmanager
def as_owner_with(mode: int, folder: Path) -> Generator[None]:
    """Act as the folder's owner, who is not root, with these rights."""
    is_root = os.geteuid() == 0
    if is_root:
        os.chown(folder, NOBODY, NOBODY)
    folder.chmod(mode)
    if is_root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if is_root:
            os.seteuid(0)
        folder.chmod(0o700)


def test_each_file_has_the_time_at_which_the_run_began(folder: Path) -> None:
    found = opened(folder).find(TENANT, f"{folder}/inner/x.md")
    assert found is not None
    assert found.uploaded_at == 1_000.0


def test_hidden_files_and_folders_and_links_to_folders_are_not_walked_and_links_to_files_are(
    folder: Path, private: Path
) -> None:
    (folder / ".git").mkdir()
    (folder / ".git" / "x.md").touch()
    (folder / ".hidden.md").touch()
    (folder / "linked").symlink_to(private)
    (folder / "inner" / "up").symlink_to("..")
    for name, target in {"a.md": private / "x.md", "loop.md": "loop.md", "nowhere.md": "missing.md"}.items():
        (folder / name).symlink_to(target)
    sources = opened(folder)
    assert walked(sources, folder) == ["a.md", "inner/x.md", "loop.md", "nowhere.md"]
    for name in ("a.md", "loop.md", "nowhere.md"):
        with pytest.raises(DocumentRefused, match=LINK):
            read_current(sources, TENANT, f"{folder}/{name}")


def test_a_named_link_is_followed_once(folder: Path, private: Path) -> None:
    link = folder / "linked"
    link.symlink_to(private)
    sources = opened(link, link / "x.md")
    assert list(sources.named) == [f"{private}/", f"{private}/x.md"]
    link.unlink()
    link.symlink_to(folder / "inner")
    assert walked(sources, private) == ["x.md"]
    assert read_current(sources, TENANT, f"{private}/x.md") == b"private"


@pytest.mark.parametrize("kind", ["missing", "dangling", "loop"])
def test_a_named_path_that_does_not_exist_is_refused(folder: Path, kind: str) -> None:
    path = folder / kind
    if kind != "missing":
        path.symlink_to("loop" if kind == "loop" else "nowhere")
    with pytest.raises(InvalidInput, match=f"{kind} does not exist"):
        opened(path)


@pytest.mark.parametrize("kind", ["pipe", "socket", "device"])
def test_what_is_no_file_is_refused_and_never_waited_for(folder: Path, kind: str) -> None:
    path = folder / "x.md"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(str(path))
    else:
        path = Path("/dev/zero")
    with pytest.raises(DocumentRefused, match="not a regular file"):
        read_current(opened(folder), TENANT, str(path))


def _link(path: Path) -> None:
    path.symlink_to("inner/x.md")


@pytest.mark.parametrize("name", [".policy.yaml", ".meta.yaml", "x.md.meta.yaml"])
@pytest.mark.parametrize("make", [_link, Path.mkdir, os.mkfifo])
def test_a_sidecar_file_that_is_no_regular_file_is_listed_and_refused_by_its_name(
    folder: Path, name: str, make: Callable[[Path], None]
) -> None:
    make(folder / name)
    sources, path = opened(folder), f"{folder}/{name}"
    assert list(sources.list_files(TENANT, path[:-1], 10)) == [path]
    with pytest.raises(InvalidInput, match=f"{name} must be a regular file"):
        find_and_read(sources, TENANT, path, None)


@pytest.mark.skipif(os.getuid() != 0, reason="only root gives a file to another user")
def test_another_users_policy_file_is_refused_and_other_files_are_known_as_foreign(folder: Path) -> None:
    for name in (".policy.yaml", "a.md", "a.md.meta.yaml"):
        (folder / name).write_text("a: 1\n")
        os.chown(folder / name, NOBODY, NOBODY)
    sources = opened(folder)
    with pytest.raises(InvalidInput, match="belongs to another user of this machine, who could choose the readers"):
        find_and_read(sources, TENANT, f"{folder}/.policy.yaml", None)
    for name, is_foreign in {"a.md": True, "a.md.meta.yaml": True, "inner/x.md": False}.items():
        found = sources.find(TENANT, f"{folder}/{name}")
        assert found is not None
        assert found.is_foreign == is_foreign
        assert find_and_read(sources, TENANT, f"{folder}/{name}", None) is not None


@pytest.mark.parametrize("exchanged", ["inner", "."])
def test_a_folder_that_became_a_link_opens_nothing_behind_it(folder: Path, private: Path, exchanged: str) -> None:
    sources, path = opened(folder / "inner" if exchanged == "inner" else folder), f"{folder}/inner/x.md"
    found = sources.find(TENANT, path)
    assert found is not None
    moved = folder / exchanged
    moved.resolve().rename(folder.parent / "aside")
    Path(os.path.normpath(moved)).symlink_to(private if exchanged == "inner" else folder.parent)
    assert read_current(sources, TENANT, path) == b"named"
    assert walked(sources, folder / "inner") == ["x.md"]


@pytest.mark.parametrize("kind", ["link", "folder"])
def test_a_folder_below_the_named_one_that_was_exchanged_is_refused(folder: Path, private: Path, kind: str) -> None:
    sources, path = opened(folder), f"{folder}/inner/x.md"
    found = sources.find(TENANT, path)
    assert found is not None
    (folder / "inner").rename(folder.parent / "aside")
    if kind == "link":
        (folder / "inner").symlink_to(private)
    else:
        private.rename(folder / "inner")
    with pytest.raises(DocumentRefused, match="cannot be read"):
        sources.read(TENANT, path, found.version)
    with pytest.raises(Unavailable):
        sources.find(TENANT, path)
    with pytest.raises(NotFound):
        sources.list_files(TENANT, f"{folder}/inner/.", 10)
    assert walked(sources, folder) == ([] if kind == "link" else ["inner/"])


def test_a_file_exchanged_since_it_was_found_is_another_version(folder: Path) -> None:
    sources, path = opened(folder), f"{folder}/inner/x.md"
    found = sources.find(TENANT, path)
    assert found is not None
    status = (folder / "inner" / "x.md").stat()
    (folder / "inner" / "y.md").write_text("other")
    os.utime(folder / "inner" / "y.md", ns=(status.st_atime_ns, status.st_mtime_ns))
    (folder / "inner" / "y.md").replace(path)
    with pytest.raises(NotFound):
        sources.read(TENANT, path, found.version)
    assert read_current(sources, TENANT, path) == b"other"


def test_a_huge_file_is_read_no_further_than_to_know_it(folder: Path) -> None:
    with (folder / "huge.txt").open("wb") as file:
        file.truncate(MAX_DOCUMENT_BYTES * 1_000)
    assert len(read_current(opened(folder), TENANT, f"{folder}/huge.txt")) == MAX_DOCUMENT_BYTES + 1


def test_a_file_that_changes_each_time_it_is_read_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sources, path = opened(folder), folder / "inner" / "x.md"
    fstat, size = os.fstat, len("named")

    def growing(descriptor: int) -> os.stat_result:
        status = fstat(descriptor)
        if stat.S_ISREG(status.st_mode):
            os.truncate(path, status.st_size + 1)
        return status

    monkeypatch.setattr(os, "fstat", growing)
    with pytest.raises(DocumentRefused, match="it changed while it was read"):
        read_current(sources, TENANT, str(path))
    assert path.stat().st_size > size


def test_a_folder_that_cannot_be_listed_is_named_and_its_files_are_not_missing(folder: Path) -> None:
    inner, sources = folder / "inner", opened(folder)
    with as_owner_with(0, inner):
        assert walked(sources, folder) == ["inner/"]
        with pytest.raises(DocumentRefused, match="a folder that cannot be read"):
            read_current(sources, TENANT, f"{inner}/")
        with pytest.raises(Unavailable, match="Permission denied"):
            sources.find(TENANT, f"{inner}/x.md")
        with pytest.raises(InvalidInput, match="Permission denied"):
            sources.list_files(TENANT, f"{inner}/.", 10)


def test_sidecar_files_of_a_folder_that_may_be_entered_only_are_found_by_their_names(folder: Path) -> None:
    inner, sources = folder / "inner", opened(folder)
    for name in (".policy.yaml", ".meta.yml", ".other", "x.md.meta.yaml.txt"):
        (inner / name).touch()
    with as_owner_with(0o100, inner):
        below = [f"{inner}/.meta.yml", f"{inner}/.policy.yaml"]
        assert list(sources.list_files(TENANT, f"{inner}/.", 10)) == below
        assert list(sources.list_files(TENANT, f"{inner}/x.md.", 10)) == [f"{inner}/x.md.meta.yaml.txt"]
        assert list(sources.list_files(TENANT, f"{inner}/{'y' * 250}.", 10)) == []


def test_names_that_are_no_unicode_are_found_by_their_stored_form(folder: Path) -> None:
    raw = os.fsencode(folder) + b"/caf\xe9"
    os.mkdir(raw)  # noqa: PTH102 - the name is no text
    Path(os.fsdecode(raw), "y.md").write_text("inside")
    Path(os.fsdecode(raw + b"/\xff.md")).write_text("bytes")
    sources = opened(folder, Path(os.fsdecode(raw)))
    assert list(sources.named) == [f"{folder}/", rf"{folder}/caf\xe9/"]
    assert walked(sources, folder) == [r"caf\xe9/\xff.md", r"caf\xe9/y.md", "inner/x.md"]
    assert read_current(sources, TENANT, rf"{folder}/caf\xe9/y.md") == b"inside"
    assert read_current(sources, TENANT, rf"{folder}/caf\xe9/\xff.md") == b"bytes"
    assert sources.find(TENANT, rf"{folder}/caf\xe8/y.md") is None


@pytest.mark.parametrize("path", ["relative.md", "/../etc/passwd", "{}/../named/inner/x.md", "{}/inner//x.md", "{}/\0"])
def test_a_path_that_no_listing_returns_opens_nothing(folder: Path, path: str) -> None:
    sources = opened(folder)
    with pytest.raises((NotFound, Unavailable, DocumentRefused)):
        sources.read(TENANT, path.format(folder), "made up")
    with pytest.raises((DocumentRefused, Unavailable)):
        read_current(sources, TENANT, path.format(folder))


def test_a_tree_deeper_than_any_path_is_walked_to_where_paths_end(folder: Path) -> None:
    name, descriptor = "d" * 200, os.open(folder, os.O_RDONLY)
    for _ in range(30):
        os.mkdir(name, dir_fd=descriptor)
        inner = os.open(name, os.O_RDONLY, dir_fd=descriptor)
        os.close(descriptor)
        descriptor = inner
    os.close(descriptor)
    *_, deepest = walked(opened(folder), folder)[:1]
    assert deepest.endswith("/")
    assert len(deepest) < 5_000


def test_changes_are_seen_though_a_program_sets_the_times_of_modification_back(folder: Path) -> None:
    file, times = folder / "inner" / "x.md", (1e9, 1e9)
    for path in (file, folder / "inner", folder):
        os.utime(path, times)
    sources = opened(folder)
    found = sources.find(TENANT, str(file))
    assert found is not None
    assert sources.list_files(TENANT, f"{folder}/.", 10) == []

    (folder / ".policy.yaml").write_text("users: [ann]\n")
    file.write_text("NAMED")
    for path in (file, folder):
        os.utime(path, times)
    assert sources.list_files(TENANT, f"{folder}/.", 10) == [f"{folder}/.policy.yaml"]
    with pytest.raises(NotFound):
        sources.read(TENANT, str(file), found.version)
