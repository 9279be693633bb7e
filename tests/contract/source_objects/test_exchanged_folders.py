"""Somebody exchanges folders and files while a run reads them: it opens what was named, or refuses, never the rest."""

import ctypes
import os
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from groundwire.adapters.codecs.sidecar_yaml import YamlSidecarParser
from groundwire.adapters.local.ingest.folder_objects import FolderObjects
from groundwire.domain.errors import DocumentRefused, InvalidInput, NotFound, Unavailable
from groundwire.services.ingest.source_objects.reading import read_current
from groundwire.services.ingest.source_objects.sidecars import SidecarResolver
from tests.contract.source_objects.stores import TENANT

READS = 500
_AT_FDCWD = -100
_RENAME_EXCHANGE = 2


def exchange(first: Path, second: Path) -> None:
    """Exchange two names in one step on Linux, and in three steps on other systems."""
    if sys.platform == "linux":
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.renameat2(_AT_FDCWD, os.fsencode(first), _AT_FDCWD, os.fsencode(second), _RENAME_EXCHANGE) == 0:
            return
    aside = first.with_name("aside")
    first.rename(aside)
    second.rename(first)
    aside.rename(second)


@contextmanager
def exchanging(first: Path, second: Path) -> Generator[Callable[[], int]]:
    """Exchange the two for as long as the block runs; the value returns how often it was done."""
    done, ended = [0], threading.Event()

    def work() -> None:
        while not ended.is_set():
            exchange(first, second)
            done[0] += 1

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield lambda: done[0]
    finally:
        ended.set()
        thread.join()


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    """A shared folder with a folder that is exchanged; beside it a private one with the same names."""
    for name in ("shared", "private"):
        (tmp_path / name / "drop").mkdir(parents=True)
        (tmp_path / name / "drop" / "x.md").write_text(name)
        (tmp_path / name / "drop" / f"{name}.md").write_text(name)
    (tmp_path / "shared" / "link").symlink_to(tmp_path / "private" / "drop")
    return tmp_path / "shared"


def test_a_folder_exchanged_for_a_link_never_gives_the_content_behind_it(shared: Path) -> None:
    outcomes: list[bytes | str] = []
    with exchanging(shared / "drop", shared / "link") as number:
        while len(outcomes) < READS or number() < READS:
            sources = FolderObjects([shared], 0.0)
            try:
                outcomes.append(read_current(sources, TENANT, f"{shared}/drop/x.md"))
            except (DocumentRefused, Unavailable):
                outcomes.append("refused")
            listed = sources.list_subtree(TENANT, f"{shared}/", "", 100)
            assert not [path for path in listed if "private" in path.removeprefix(str(shared))]
    assert set(outcomes) == {b"shared", "refused"}


@pytest.mark.parametrize("kind", ["link", "pipe"])
def test_a_file_exchanged_for_a_link_or_a_pipe_is_refused_and_never_waited_for(shared: Path, kind: str) -> None:
    other = shared / "other.md"
    if kind == "link":
        other.symlink_to(shared.parent / "private" / "drop" / "x.md")
    else:
        os.mkfifo(other)
    sources, outcomes = FolderObjects([shared], 0.0), set[bytes | str]()
    with exchanging(shared / "drop" / "x.md", other) as number:
        while number() < READS or len(outcomes) < 2:
            try:
                outcomes.add(read_current(sources, TENANT, f"{shared}/drop/x.md"))
            except DocumentRefused:
                outcomes.add("refused")
    assert outcomes == {b"shared", "refused"}


def test_content_never_comes_under_the_policy_of_a_folder_that_is_put_in_the_place_of_its_own(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    for name, policy in {"board": "users: [chief]\n", "fake": "public: true\n"}.items():
        (shared / name).mkdir(parents=True)
        (shared / name / ".policy.yaml").write_text(policy)
        (shared / name / "x.md").write_text(name)
    (shared / "fake" / ".policy.yaml").unlink()
    (shared / ".policy.yaml").write_text("public: true\n")
    seen: set[tuple[bool, bytes]] = set()
    reads = 0
    with exchanging(shared / "board", shared / "fake") as number:
        while number() < READS or reads < 3 * READS:
            reads += 1
            sources = FolderObjects([shared], 0.0)
            with suppress(DocumentRefused, InvalidInput, NotFound, Unavailable):
                policy = SidecarResolver(TENANT, sources, YamlSidecarParser()).nearest_policy(f"{shared}/board/x.md")
                assert policy.policy is not None
                seen.add((policy.policy.public, read_current(sources, TENANT, f"{shared}/board/x.md")))
    assert seen <= {(False, b"board"), (True, b"fake")}
    assert seen
