"""Pictures of a version's pages on every store of originals: read back whole, deleted whole, also after a crash."""

from contextlib import suppress

import pytest

from groundwire.domain.errors import Unavailable
from groundwire.ports import Blobs
from groundwire.services.documents.images.page_pictures import PagePictureStore
from groundwire_readers.contents.parsed import PagePicture, WordBox
from tests.contract.blobs.test_images import Recorded
from tests.support.documents.png_file import png_file

TENANT, DOCUMENT = "t-acme", "d-1"


def picture(number: int) -> PagePicture:
    return PagePicture(png_file(), "image/png", 64, 56, (WordBox(f"word {number}", 1, 2, 3, 4),))


def stored(recorded: Recorded) -> PagePictureStore:
    return PagePictureStore(recorded)  # pyright: ignore[reportArgumentType] - it has every method of the store


def test_a_picture_is_read_back_with_its_words(blobs: Blobs) -> None:
    store = PagePictureStore(blobs)
    assert store.find(TENANT, DOCUMENT, 1, 7) is None
    store.put(TENANT, DOCUMENT, 1, 7, picture(7))
    assert store.find(TENANT, DOCUMENT, 1, 7) == picture(7)


def test_pictures_belong_to_their_page_version_document_and_tenant_alone(blobs: Blobs) -> None:
    store = PagePictureStore(blobs)
    store.put(TENANT, DOCUMENT, 1, 7, picture(7))
    for tenant, document, version, page in (
        *((TENANT, DOCUMENT, 1, 8), (TENANT, DOCUMENT, 1, 7 + 16), (TENANT, DOCUMENT, 2, 7)),
        *((TENANT, DOCUMENT, 11, 7), (TENANT, "d-2", 1, 7), ("t-blue", DOCUMENT, 1, 7)),
    ):
        assert store.find(tenant, document, version, page) is None
        if (tenant, document, version) != (TENANT, DOCUMENT, 1):
            store.delete(tenant, document, version)
    assert store.find(TENANT, DOCUMENT, 1, 7) is not None


def test_pages_without_end_take_a_bounded_number_of_places_and_the_latest_are_there(blobs: Blobs) -> None:
    recorded = Recorded(blobs)
    store = stored(recorded)
    for page in range(1, 40):
        store.put(TENANT, DOCUMENT, 1, page, picture(page))
    assert len(recorded.keys) == 17
    assert [page for page in range(1, 40) if store.find(TENANT, DOCUMENT, 1, page)] == list(range(24, 40))


def test_deleted_pictures_leave_nothing_in_the_store(blobs: Blobs) -> None:
    recorded = Recorded(blobs)
    store = stored(recorded)
    for page in (1, 2, 30):
        store.put(TENANT, DOCUMENT, 1, page, picture(page))
    store.delete(TENANT, DOCUMENT, 1)
    assert recorded.keys == set()
    store.delete(TENANT, DOCUMENT, 1)


def test_a_version_without_pictures_costs_a_deletion_one_call(blobs: Blobs) -> None:
    stored(Recorded(blobs, calls=1)).delete(TENANT, DOCUMENT, 1)


def put_pages(store: PagePictureStore) -> None:
    for page in range(1, 9):
        store.put(TENANT, DOCUMENT, 1, page, picture(page))


@pytest.mark.parametrize("calls", range(6))
def test_after_a_crash_at_any_call_a_deletion_leaves_nothing(blobs: Blobs, calls: int) -> None:
    recorded = Recorded(blobs, calls)
    store = stored(recorded)
    with pytest.raises(Unavailable):
        put_pages(store)
    recorded.calls_left = 5
    with suppress(Unavailable):
        store.delete(TENANT, DOCUMENT, 1)
    recorded.calls_left = 1_000
    store.delete(TENANT, DOCUMENT, 1)
    assert recorded.keys == set()


def test_what_another_release_stored_is_drawn_again(blobs: Blobs) -> None:
    recorded = Recorded(blobs)
    stored(recorded).put(TENANT, DOCUMENT, 1, 7, picture(7))
    for key in recorded.keys:
        for content in (b"", b"1", b"[]", bytes(9)):
            blobs.put(TENANT, key, content)
            assert key.endswith("/1") or PagePictureStore(blobs).find(TENANT, DOCUMENT, 1, 7) is None
