"""Images of a version on every store of originals: read back whole, deleted whole, also after a crash."""

from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from typing import cast

import pytest

from groundwire.domain.errors import NotFound, Unavailable
from groundwire.ports import Blobs
from groundwire.services.documents.images.store import ImageStore, StoredImage
from groundwire_readers.contents.parsed import ParsedImage

TENANT, DOCUMENT = "t-acme", "d-1"


def image(position: int, content: bytes = b"", page: int | None = None) -> ParsedImage:
    whole = content or f"pixels of {position}".encode()
    digest = sha256(whole).hexdigest()
    return ParsedImage(whole, "image/png", 64, 56, position, page, False, "", "", "", "", digest)


class Recorded:
    """A store that records the keys that it holds, and fails when no calls are left."""

    def __init__(self, blobs: Blobs, calls: int = 1_000) -> None:
        self._blobs = blobs
        self.calls_left = calls
        self.keys = set[str]()

    def __getattr__(self, name: str) -> Callable[..., object]:
        def call(tenant: str, key: str, *arguments: object) -> object:
            if self.calls_left == 0:
                raise Unavailable("the store is away")
            self.calls_left -= 1
            done = getattr(self._blobs, name)(tenant, key, *arguments)
            self.keys = self.keys | {key} if name == "put" else self.keys - ({key} if name == "delete" else set())
            return done

        return call


def over(recorded: Recorded) -> ImageStore:
    return ImageStore(cast("Blobs", recorded))


def test_images_are_read_back_in_order(blobs: Blobs) -> None:
    store = ImageStore(blobs)
    store.put(TENANT, DOCUMENT, 3, [image(0), image(1, page=7)])
    first, second = store.list(TENANT, DOCUMENT, 3)
    assert first == StoredImage(0, "image/png", 64, 56, None, image(0).digest)
    assert (second.position, second.page) == (1, 7)
    assert store.get(TENANT, DOCUMENT, 3, second) == b"pixels of 1"


def test_a_version_without_images_has_none_and_stores_nothing(blobs: Blobs) -> None:
    recorded = Recorded(blobs)
    over(recorded).put(TENANT, DOCUMENT, 1, [])
    assert recorded.keys == set()
    assert over(recorded).list(TENANT, DOCUMENT, 1) == ()


def test_images_belong_to_their_version_document_and_tenant_alone(blobs: Blobs) -> None:
    store = ImageStore(blobs)
    store.put(TENANT, DOCUMENT, 1, [image(0)])
    (found,) = store.list(TENANT, DOCUMENT, 1)
    for tenant, document, version in ((TENANT, DOCUMENT, 2), (TENANT, "d-2", 1), ("t-blue", DOCUMENT, 1)):
        assert store.list(tenant, document, version) == ()
        with pytest.raises(NotFound):
            store.get(tenant, document, version, found)
        store.delete(tenant, document, version)
    assert store.get(TENANT, DOCUMENT, 1, found) == b"pixels of 0"


def test_deleted_images_leave_nothing_in_the_store(blobs: Blobs) -> None:
    recorded = Recorded(blobs)
    store = over(recorded)
    store.put(TENANT, DOCUMENT, 1, [image(0), image(1)])
    (found, _) = store.list(TENANT, DOCUMENT, 1)
    store.delete(TENANT, DOCUMENT, 1)
    store.delete(TENANT, DOCUMENT, 1)
    assert recorded.keys == set()
    with pytest.raises(NotFound):
        store.get(TENANT, DOCUMENT, 1, found)


def test_new_images_of_a_version_replace_all_that_it_had(blobs: Blobs) -> None:
    recorded = Recorded(blobs)
    store = over(recorded)
    store.put(TENANT, DOCUMENT, 1, [image(number) for number in range(4)])
    store.put(TENANT, DOCUMENT, 1, [image(0, b"another")])
    (found,) = store.list(TENANT, DOCUMENT, 1)
    assert store.get(TENANT, DOCUMENT, 1, found) == b"another"
    assert len(recorded.keys) == 2


def test_an_image_is_never_another_one_than_the_list_states(blobs: Blobs) -> None:
    store = ImageStore(blobs)
    store.put(TENANT, DOCUMENT, 1, [image(0)])
    (found,) = store.list(TENANT, DOCUMENT, 1)
    with pytest.raises(NotFound):
        store.get(TENANT, DOCUMENT, 1, replace(found, digest="0" * 64))


@pytest.mark.parametrize("calls", range(8))
def test_after_a_crash_at_any_call_a_deletion_leaves_nothing(blobs: Blobs, calls: int) -> None:
    recorded = Recorded(blobs)
    store = over(recorded)
    store.put(TENANT, DOCUMENT, 1, [image(0), image(1, b"old")])
    recorded.calls_left = calls
    with pytest.raises(Unavailable):
        store.put(TENANT, DOCUMENT, 1, [image(0, b"new"), image(1, b"newer"), image(2)])
    recorded.calls_left = 1_000
    store.delete(TENANT, DOCUMENT, 1)
    assert recorded.keys == set()
