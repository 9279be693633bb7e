"""Reading: the whole text in its pages, a passage among its neighbours, and only what may be read at that moment."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from groundwire.adapters.local.registry.documents import SqliteDocuments
from groundwire.domain.documents.record import Document
from groundwire.domain.errors import Unavailable
from groundwire.domain.limits import TEXT_PAGE_SEGMENTS
from groundwire.ports import DocumentVersion
from groundwire.services.documents.browse import DocumentReader
from tests.support.isolation.policies import for_users
from tests.support.worlds.document_library import NO_READERS, PUBLIC, asker, keep, reading, record
from tests.support.worlds.world import World


@pytest.fixture
def tenant(world: World) -> str:
    return world.tenant("amber")


def paragraphs(count: int, word: str = "pumps") -> list[str]:
    return [f"Paragraph {number} is about {word}." for number in range(count)]


def put(world: World, tenant: str, texts: Sequence[str], doc_id: str = "book") -> None:
    world.ingest(tenant, "\n\n".join(texts), PUBLIC, path=f"/nowhere/{doc_id}.txt", doc_id=doc_id)


def uids(world: World, tenant: str, doc_id: str = "book", version: int = 1) -> list[str]:
    segments = world.services.stores.indexes.for_tenant(tenant).segments(DocumentVersion(doc_id, version))
    return [segment.uid for segment in segments]


@pytest.mark.parametrize("count", [1, TEXT_PAGE_SEGMENTS, TEXT_PAGE_SEGMENTS + 1, 3 * TEXT_PAGE_SEGMENTS - 1])
def test_the_pages_together_are_the_text(world: World, tenant: str, count: int) -> None:
    put(world, tenant, paragraphs(count))
    where, caller = reading(world), asker(tenant)
    first = where.page(caller, "book", 1)
    assert first is not None
    pages = [where.page(caller, "book", number) for number in range(1, first.page_count + 1)]
    assert [page.text for page in pages if page is not None] == [
        "\n\n".join(paragraphs(count)[start : start + TEXT_PAGE_SEGMENTS])
        for start in range(0, count, TEXT_PAGE_SEGMENTS)
    ]
    assert first.source_pages == (1, min(count, TEXT_PAGE_SEGMENTS))
    for beyond in (-1, 0, first.page_count + 1, 10**7):
        assert where.page(caller, "book", beyond) is None


def test_a_document_without_text_has_one_page_which_is_empty(world: World, tenant: str) -> None:
    keep(world, tenant, replace(record("mail"), segments=0))
    page = reading(world).page(asker(tenant), "mail", 1)
    assert page is not None
    assert (page.text, page.page_count, page.source_pages) == ("", 1, (None, None))


def test_a_passage_comes_with_its_neighbours_in_reading_order(world: World, tenant: str) -> None:
    long = [f"Paragraph {number}. " + "All about pumps. " * 70 for number in range(5)]
    put(world, tenant, long)
    passage = reading(world).passage_with_context(asker(tenant), uids(world, tenant)[2])
    assert passage is not None
    assert [segment.ordinal for segment in passage.context] == [1, 2, 3]


@pytest.mark.parametrize("name", ["", "never-was", "../book", "book/1", "b\u00f6ok", "book.0123456789abcdef"])
def test_what_is_not_there_is_not_read(world: World, tenant: str, name: str) -> None:
    put(world, tenant, paragraphs(2))
    assert reading(world).document(asker(tenant), name) is None
    assert reading(world).page(asker(tenant), name, 1) is None
    assert reading(world).passage_with_context(asker(tenant), name) is None


def test_what_is_forbidden_deleted_or_out_of_reach_is_like_what_is_not_there(world: World, tenant: str) -> None:
    put(world, tenant, paragraphs(2))
    [uid, _] = uids(world, tenant)
    where, administration = reading(world), world.services.administration.document_admin
    bound = asker(tenant, collections=frozenset({"other"}))

    def nothing(caller: object = None) -> bool:
        who = bound if caller is bound else asker(tenant, "ana")
        return where.page(who, "book", 1) is None and where.passage_with_context(who, uid) is None

    assert nothing(bound)
    assert not nothing()
    administration.override_policy(tenant, "book", NO_READERS)
    assert nothing()
    administration.override_policy(tenant, "book", for_users("ana"))
    assert not nothing()
    administration.delete(tenant, "book")
    assert nothing()


def test_a_document_of_another_tenant_is_not_found(world: World, tenant: str) -> None:
    other = world.tenant("birch")
    put(world, other, paragraphs(2))
    assert reading(world).page(asker(tenant), "book", 1) is None
    assert reading(world).passage_with_context(asker(tenant), uids(world, other)[0]) is None


def test_a_redacted_passage_is_read_no_more_and_what_stayed_is_read_in_the_new_version(
    world: World, tenant: str
) -> None:
    put(world, tenant, ["The code is 4711.", "The blue pump."])
    redacted, stayed = uids(world, tenant)
    put(world, tenant, ["The code is gone.", "The blue pump."])
    assert reading(world).passage_with_context(asker(tenant), redacted) is None
    passage = reading(world).passage_with_context(asker(tenant), stayed)
    assert passage is not None
    assert (passage.segment.version, passage.text) == (2, "The code is gone.\n\nThe blue pump.")


class Restless(SqliteDocuments):
    """Registry that changes a document after each of its first `times` answers."""

    def __init__(self, world: World, tenant: str, times: int) -> None:
        super().__init__(world.services.stores.database)
        self._world = world
        self._tenant = tenant
        self.times = times

    def read(self, tenant: str, doc_ids: Sequence[str]) -> Mapping[str, Document]:
        found = super().read(tenant, doc_ids)
        if self.times:
            self.times -= 1
            put(self._world, self._tenant, [*paragraphs(2), f"{self.times} more times."])
        return found


def test_a_document_that_is_replaced_meanwhile_is_read_as_it_is_then(world: World, tenant: str) -> None:
    put(world, tenant, paragraphs(2))
    restless = Restless(world, tenant, 1)
    page = DocumentReader(restless, world.services.stores.indexes).page(asker(tenant), "book", 1)
    assert page is not None
    assert (page.document.version, page.text) == (2, "\n\n".join([*paragraphs(2), "0 more times."]))
    restless.times = 2
    passage = DocumentReader(restless, world.services.stores.indexes).passage_with_context(
        asker(tenant), uids(world, tenant, version=2)[0]
    )
    assert passage is not None
    assert (passage.document.version, passage.segment.version) == (4, 4)


def test_a_document_that_never_holds_still_is_worth_another_try(world: World, tenant: str) -> None:
    put(world, tenant, paragraphs(2))
    with pytest.raises(Unavailable) as raised:
        DocumentReader(Restless(world, tenant, 9), world.services.stores.indexes).page(asker(tenant), "book", 1)
    assert raised.value.retry_after_s > 0
