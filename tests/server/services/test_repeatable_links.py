"""Equal links are one text within an hour, so that a client can cache what it sends to a model."""

from dataclasses import replace
from urllib.parse import urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.adapters.codecs.aead import AesGcmSeal
from groundwire.domain.access.policy import Principal
from groundwire.domain.documents.links import expiry_at_least, expiry_at_most
from groundwire.domain.documents.record import Document
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import TagSource
from groundwire.domain.limits import LINK_STEP_SECONDS, MAX_LINK_SECONDS
from groundwire.services.documents.links.source_links import SourceLinks, passage_url
from tests.support.clients.handshake_client import client
from tests.support.isolation.policies import for_users
from tests.support.plugins.draws import examples
from tests.support.registry.link_grants import MemoryLinkGrants, short_links
from tests.support.registry.records import ACT_AS_KEY, DOCUMENT
from tests.support.worlds.world import World, caller

HOUR = 1_800_000_000
DAY_S = 86_400
LINKED = replace(DOCUMENT, source_url=None)
GRANTS = MemoryLinkGrants()
Facts = tuple[str, str, frozenset[str], str, str, TagSource]
"""What a link is made of: tenant, user, tags, document, key, source of the tags."""
FACTS = st.tuples(
    st.sampled_from(["t_1", "t_2"]),
    st.sampled_from(["ana", "ben"]),
    st.sampled_from([frozenset[str](), frozenset({"red"}), frozenset({"red", "blue"})]),
    st.sampled_from(["d-1", "d-2", "doc_00000000000000aa", "doc_00000000000000ab"]),
    st.sampled_from(["4fGh7Kq2LmNp", "9xYz0AbCdEfG"]),
    st.sampled_from([TagSource.CALL, TagSource.ENTRY]),
)
MOMENTS = st.floats(HOUR - 2 * LINK_STEP_SECONDS, HOUR + 2 * LINK_STEP_SECONDS)
LIFETIMES = st.integers(1, MAX_LINK_SECONDS)


def links(now: float) -> SourceLinks:
    """Those of a process that has served nobody yet."""
    return SourceLinks(
        AesGcmSeal(b"k" * 32), short_links(GRANTS, lambda: now), "https://kb.example", DAY_S, lambda: now
    )


def link(made_by: SourceLinks, facts: Facts) -> str:
    tenant, user, tags, doc_id, kid, tag_source = facts
    speaking = Caller.from_key(
        replace(ACT_AS_KEY, kid=kid), Principal(tenant, user, tags), ACT_AS_KEY.scopes, tag_source, now=0.0
    )
    return made_by.url_for(replace(LINKED, doc_id=doc_id), speaking)


@given(first=FACTS, second=FACTS, moments=st.tuples(MOMENTS, MOMENTS))
@settings(deadline=None)
def test_links_are_equal_exactly_when_all_they_are_made_of_is_and_the_hour(
    first: Facts, second: Facts, moments: tuple[float, float]
) -> None:
    made = [link(links(now), facts) for now, facts in zip(moments, (first, second), strict=True)]
    hours = {-(-now // LINK_STEP_SECONDS) for now in moments}
    assert (made[0] == made[1]) == (first == second and len(hours) == 1)


@given(served=st.lists(FACTS, max_size=30), requested=FACTS)
@settings(deadline=None, max_examples=examples(40))
def test_a_link_does_not_depend_on_who_was_served_before(served: list[Facts], requested: Facts) -> None:
    busy = links(HOUR)
    for facts in served:
        link(busy, facts)
    assert link(busy, requested) == link(links(HOUR), requested)


@pytest.mark.parametrize("name", ["d-{}", "doc_{:016x}"])
def test_a_link_for_more_documents_than_are_cached_is_the_same_when_it_is_requested_again(name: str) -> None:
    busy = links(HOUR)
    made = [link(busy, ("t_1", "ana", frozenset(), name.format(at), "kid", TagSource.CALL)) for at in range(1_100)]
    again = [link(busy, ("t_1", "ana", frozenset(), name.format(at), "kid", TagSource.CALL)) for at in range(1_100)]
    assert made == again
    assert len(set(made)) == 1_100


@given(now=MOMENTS, seconds=LIFETIMES)
def test_an_expiry_is_a_full_hour_that_shortens_no_link_and_lengthens_it_by_less_than_an_hour(
    now: float, seconds: int
) -> None:
    expiry = expiry_at_least(now, seconds)
    assert expiry % 3_600 == 0
    assert now + seconds <= expiry < now + seconds + 3_600


@given(now=MOMENTS, seconds=LIFETIMES)
def test_an_expiry_with_an_upper_bound_keeps_it_and_leaves_two_thirds_of_the_time(now: float, seconds: int) -> None:
    expiry = expiry_at_most(now, seconds)
    assert seconds * 2 // 3 - 1 < expiry - now <= seconds


def test_two_searches_of_one_user_get_one_link_and_another_user_gets_another(world: World) -> None:
    tenant = world.tenant("amber")
    world.ingest(tenant, "The ledger.", for_users("ana", "ben"), path="/nowhere/ledger.txt", doc_id="ledger")
    key = world.acting_key(tenant)

    def found(user: str) -> str:
        [segment] = world.search(caller(key, user), "ledger").segments
        return segment["source_url"]

    # The hour may turn once between two of them.
    assert len({found("ana") for _ in range(3)}) < 3
    assert {found("ana") for _ in range(2)}.isdisjoint(found("ben") for _ in range(2))
    assert [world.open(found(user)).status for user in ("ana", "ben")] == [200, 200]


def test_a_link_of_the_release_before_with_a_random_nonce_opens(world: World) -> None:
    tenant = world.tenant("amber")
    world.ingest(tenant, "The ledger.", for_users("ana"), path="/nowhere/ledger.txt", doc_id="ledger")
    [segment] = world.search(caller(world.acting_key(tenant), "ana"), "ledger").segments
    seal = world.services.stores.seal
    grant = world.services.reading.short_links.read(urlsplit(segment["source_url"]).path.rpartition("/")[2])
    assert grant is not None
    random_ones = {seal.seal("open", grant.to_bytes()) for _ in range(3)}
    assert len(random_ones) == 3
    assert {world.open(f"/open/{token}").status for token in random_ones} == {200}


@pytest.mark.parametrize(
    ("document", "url", "page", "expected"),
    [
        (LINKED, "https://kb.example/open/x", 3, "https://kb.example/open/x#page=3"),
        (LINKED, "https://kb.example/open/x", None, "https://kb.example/open/x"),
        (replace(LINKED, source_file_type="pptx"), "https://kb.example/open/x", 3, "https://kb.example/open/x"),
        (DOCUMENT, "https://wiki.example/a.pdf", 3, "https://wiki.example/a.pdf#page=3"),
        (DOCUMENT, "https://wiki.example/a.pdf#leave", 3, "https://wiki.example/a.pdf#leave"),
        (DOCUMENT, "https://wiki.example/#/a", 3, "https://wiki.example/#/a"),
    ],
)
def test_an_address_of_a_pdf_names_the_page_and_one_with_a_fragment_stays(
    document: Document, url: str, page: int | None, expected: str
) -> None:
    assert passage_url(url, document, page) == expected


def test_all_passages_of_a_pdf_have_the_same_link_with_their_own_page(world: World) -> None:
    tenant = world.tenant("amber")
    text = "The ledger grants leave.\n\nThe ledger pays bonuses.\n\nThe ledger lists pumps."
    world.ingest(tenant, text, for_users("ana"), path="/nowhere/ledger.pdf", doc_id="ledger")
    ana = caller(world.acting_key(tenant, toolset="mindset"), "ana")
    segments = world.search(ana, "ledger").segments
    parts = [segment["source_url"].partition("#") for segment in segments]
    assert sorted(fragment for _, _, fragment in parts) == ["page=1", "page=2", "page=3"]
    links = [address.partition("?p=") for address, _, _ in parts]
    assert len({link for link, _, _ in links}) == 1
    assert [passage for _, _, passage in links] == [segment["segment_uid"][-16:-10] for segment in segments]
    assert {world.open(segment["source_url"]).status for segment in segments} == {200}
    # Mindset AI opens what `verify_document_access` returns, so that is the address of the answer, page included.
    refreshed = [world.verify(ana, each["segment_uid"]).result["refreshed_url"] for each in segments]
    # The hour may turn once between two of them.
    assert [each.partition("?")[2] for each in refreshed] == [each["source_url"].partition("?")[2] for each in segments]
    assert {world.open(each).status for each in refreshed} == {200}


def test_an_agents_link_of_a_pdf_names_a_page_and_is_the_same_text_within_the_hour(world: World) -> None:
    tenant = world.tenant("amber")
    text = "The ledger grants leave.\n\nThe ledger pays bonuses.\n\nThe ledger lists pumps."
    world.ingest(tenant, text, for_users("ana"), path="/nowhere/ledger.pdf", doc_id="ledger")
    asker = client(world, tenant, "ana")

    def found() -> tuple[str, str, str]:
        """The links of a search, of its best passage and of the second page."""
        answer = asker.tool("rag_search", search_phrases=["bonuses"])["structuredContent"]
        best = answer["passages"][0]
        read = asker.tool("fetch", id=best["id"])["structuredContent"]
        whole = asker.tool("fetch", id="ledger")["structuredContent"]
        assert [best["pages"], read["pages"], whole["pages"]] == [[2, 2], [1, 3], [1, 3]]
        return answer["sources"][0]["url"], read["url"], whole["url"]

    searched, read, whole = found()
    assert [each.partition("#")[2] for each in (searched, read, whole)] == ["page=2", "page=2", "page=1"]
    # The hour may turn once between two of them.
    assert len({found() for _ in range(3)}) < 3
    assert {world.open(each).status for each in (searched, read, whole)} == {200}
