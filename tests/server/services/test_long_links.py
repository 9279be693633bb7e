"""A link has to get through browsers and gateways, whatever its person is called and however many tags they have."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.adapters.codecs.aead import AesGcmSeal
from groundwire.domain import limits
from groundwire.domain.access.policy import NO_READERS, Policy, Principal, decide, single_policy
from groundwire.domain.documents.links import SEAL_PURPOSE, LinkGrant, LinkOrigin
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import TagSource
from groundwire.services.documents.links.source_links import SourceLinks
from tests.support.plugins.draws import examples
from tests.support.registry.link_grants import MemoryLinkGrants, short_links
from tests.support.registry.records import ACT_AS_KEY, DOCUMENT

SEAL = AesGcmSeal(b"k" * 32)
SHORT = short_links(MemoryLinkGrants(fails=True), lambda: 1_800_000_000.0)
LINKS = SourceLinks(SEAL, SHORT, "https://kb.example", 900, lambda: 1_800_000_000.0)
MAX_LINK_CHARACTERS = 7_500
LETTERS = st.characters(exclude_categories=("Cc", "Cs"))
USERS = st.text(LETTERS, min_size=1, max_size=limits.MAX_USER_CHARACTERS)
LONG = st.text(LETTERS, min_size=200, max_size=limits.MAX_TAG_CHARACTERS)
TAGS = st.frozensets(LONG | st.text(LETTERS, min_size=1, max_size=20), max_size=limits.MAX_TAGS_PER_CALL)

DENSE = frozenset("".join(chr(0x4E00 + (at * 7919 + row * 104729) % 20_000) for at in range(256)) for row in range(64))
"""Tags that no packing makes short."""


def made(principal: Principal, policy: Policy) -> tuple[str, Principal]:
    """The link, and the principal that it speaks for when it is opened."""
    speaking = Caller.from_key(ACT_AS_KEY, principal, ACT_AS_KEY.scopes, TagSource.CALL, now=0.0)
    link = LINKS.url_for(replace(DOCUMENT, source_url=None, policy=policy), speaking)
    payload = SEAL.unseal(SEAL_PURPOSE, link.rpartition("/")[2])
    assert payload is not None
    grant = LinkGrant.from_bytes(payload)
    assert grant.origin == LinkOrigin(ACT_AS_KEY.kid, TagSource.CALL)
    return link, grant.principal


@given(user=USERS, tags=TAGS, policy_tags=TAGS, data=st.data())
@settings(deadline=None, max_examples=examples(60))
def test_a_link_of_anybody_is_short_and_speaks_for_them_or_for_less(
    user: str, tags: frozenset[str], policy_tags: frozenset[str], data: st.DataObject
) -> None:
    held = sorted(tags)
    wanted = frozenset(data.draw(st.lists(st.sampled_from(held), max_size=3))) if held else frozenset[str]()
    policy = replace(NO_READERS, any_tags=policy_tags | wanted, all_tags=wanted)
    link, speaker = made(Principal("t_1", user, tags), policy)
    assert len(link) <= MAX_LINK_CHARACTERS
    assert (speaker.tenant, speaker.user) == ("t_1", user)
    assert speaker.tags <= tags
    if wanted:
        # Three of the longest tags always fit.
        assert decide(speaker, single_policy(policy))


def test_six_kilobytes_of_tags_in_another_script_fit_whole() -> None:
    tags = frozenset(f"{number:02}:größe-отдел-продаж-部門" for number in range(64))
    _, speaker = made(Principal("t_1", "maria", tags), NO_READERS)
    assert speaker.tags == tags


def test_tags_that_do_not_fit_leave_those_that_the_policy_names() -> None:
    needed = frozenset(sorted(DENSE)[:2])
    _, speaker = made(Principal("t_1", "maria", DENSE), replace(NO_READERS, all_tags=needed))
    assert speaker.tags == needed


def test_a_policy_that_asks_for_more_than_a_link_can_carry_is_refused_when_the_link_is_opened() -> None:
    policy = replace(NO_READERS, all_tags=DENSE)
    link, speaker = made(Principal("t_1", "maria", DENSE), policy)
    assert len(link) <= MAX_LINK_CHARACTERS
    assert not decide(speaker, single_policy(policy))
