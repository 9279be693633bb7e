"""Promises of a bucket and of a named folder alike."""

import time
from collections.abc import Sequence

import pytest

from groundwire.domain.errors import NotFound
from groundwire.services.ingest.source_objects.reading import find_and_read, read_current
from tests.contract.source_objects.stores import TENANT, Store


def subtree(store: Store, folder: str, after: str = "", limit: int = 1_000) -> list[str]:
    start = store.path("")
    found = store.sources.list_subtree(TENANT, store.path(folder), store.path(after) if after else "", limit)
    return [path.removeprefix(start) for path in found]


def files(store: Store, prefix: str, limit: int = 1_000) -> Sequence[str]:
    start = store.path("")
    return [path.removeprefix(start) for path in store.sources.list_files(TENANT, store.path(prefix), limit)]


@pytest.mark.parametrize("name", ["c/a.txt", "c/a ü.txt", "c/d/e/f.md", "c/back\\slash \\x41.md"])
def test_a_file_is_found_in_its_current_version_and_read(store: Store, name: str) -> None:
    store.put(name, b"one")
    first = store.sources.find(TENANT, store.path(name))
    store.put(name, b"second")
    latest = store.sources.find(TENANT, store.path(name))
    assert first is not None
    assert latest is not None
    assert (latest.path, latest.size, latest.metadata, latest.is_foreign) == (store.path(name), 6, {}, False)
    assert latest.version != first.version
    assert latest.uploaded_at <= time.time()
    assert store.sources.read(TENANT, store.path(name), latest.version) == b"second"
    assert read_current(store.sources, TENANT, store.path(name)) == b"second"


def test_what_was_removed_or_never_there_is_not_found(store: Store) -> None:
    store.put("c/a.txt", b"one")
    found = store.sources.find(TENANT, store.path("c/a.txt"))
    assert found is not None
    store.remove("c/a.txt")
    for name in ("c/a.txt", "c/b.txt", "d/e/f.txt", "c/a.txt/b.txt"):
        assert store.sources.find(TENANT, store.path(name)) is None
        assert find_and_read(store.sources, TENANT, store.path(name), None) is None
        with pytest.raises(NotFound):
            store.sources.read(TENANT, store.path(name), "made up")


def test_the_files_below_a_folder_come_page_by_page_in_the_order_of_their_paths(store: Store) -> None:
    names = [
        "c/a b",
        "c/a.txt",
        "c/a/1.txt",
        "c/a/b/2.txt",
        "c/a/b.txt",
        "c/a0.txt",
        "c/aa",
        "c/Z",
        "c/é",
        "c/😀",
        "d/z",
    ]
    for name in names:
        store.put(name, b"")
    below = sorted(each for each in names if each.startswith("c/"))
    assert subtree(store, "") == sorted(names)
    assert subtree(store, "c/") == below
    for limit in (1, 2, 3):
        pages: list[str] = []
        while page := subtree(store, "c/", pages[-1] if pages else "", limit):
            assert len(page) <= limit
            pages += page
        assert pages == below
    for number, name in enumerate(below):
        assert subtree(store, "c/", name) == below[number + 1 :]
    for after in ("c/a/b/", "c/a/zzz", "c/a/b.tx", "b", "c/a/b/2.txt/x"):
        assert subtree(store, "c/", after) == [each for each in below if each > after]
    assert subtree(store, "c/", "d") == []
    assert subtree(store, "c/a/") == ["c/a/1.txt", "c/a/b.txt", "c/a/b/2.txt"]


def test_what_was_put_or_removed_after_a_listing_is_seen_by_the_next_one(store: Store) -> None:
    store.put("c/a.txt", b"")
    assert subtree(store, "c/") == ["c/a.txt"]
    assert files(store, "c/.") == []
    store.put("c/.policy.yaml", b"")
    store.put("c/b/x.txt", b"")
    store.remove("c/a.txt")
    assert [name for name in subtree(store, "c/") if "/." not in name] == ["c/b/x.txt"]
    assert files(store, "c/.") == ["c/.policy.yaml"]


def test_files_in_a_folder_are_distinguished_from_files_below_it(store: Store) -> None:
    for name in ["c/.a", "c/.b/z", "c/.c", "c/d", ".e", "c/f/.g", "c/n.md", "c/n.md.meta.yaml", "c/n.md.meta.yml"]:
        store.put(name, b"")
    assert files(store, "c/.") == ["c/.a", "c/.c"]
    assert files(store, "c/.", 1) == ["c/.a"]
    assert files(store, ".") == [".e"]
    assert files(store, "c/n.md.") == ["c/n.md.meta.yaml", "c/n.md.meta.yml"]
    assert files(store, "c/n.txt.") == []
