"""Links cross releases: this one opens those of the release before, and the release before opens those of this one."""

import base64
import json
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.domain.access.policy import Principal
from groundwire.domain.documents.links import SEAL_PURPOSE, LinkGrant, LinkOrigin
from groundwire.domain.keys.grants import TagSource
from tests.support.isolation.policies import for_users
from tests.support.worlds.world import World

BEFORE = {
    "short": (
        b'["t_1","doc_1","maria",["department:sales","gr\xc3\xb6\xc3\x9fe"],1800000900]',
        LinkGrant(Principal("t_1", "maria", frozenset({"department:sales", "größe"})), "doc_1", 1_800_000_900, None),
    ),
    "packed": (
        base64.b85decode(
            "cmZwCJr06E5J2I(Y`rEse=B$uLJSeQ6^-Ei4Ys^#CV81Dz9H>*Njc50$FbLMYk5fX@}55Xb6NM>HnnBDlycmh>i_dp6>klzV-2ho>lJH<"
            "wWlg*6SN811Z{#gL7SjW&?aaTv?<yYZHhKUo1#t8rf5^NDcTfmhBiZ+q0P`{Xfw1K+6--mHba}E&C%v)bF?|y9Bqy^N1LO~(H3Y6v<2D%"
            "ZGpBxTc9n_7HA8!RkT&KRkT%0W0tNQ)0Z;-0Q4~Hg#"
        ),
        LinkGrant(
            Principal("t_1", None, frozenset(f"department:sales-{number:02}" for number in range(64))),
            "doc_1",
            1_800_000_900,
            None,
        ),
    ),
}
"""Payloads that the release before sealed, byte for byte, and what they say."""

TEXTS = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=300)
GRANTS = st.builds(
    LinkGrant,
    principal=st.builds(Principal, TEXTS, st.none() | TEXTS, st.frozensets(TEXTS, max_size=8)),
    doc_id=TEXTS,
    expires_at=st.integers(0, 1 << 40),
    origin=st.none() | st.builds(LinkOrigin, TEXTS, st.sampled_from(TagSource)),
)


def read_before(payload: bytes) -> tuple[str, str, str | None, frozenset[str], int]:
    """The reader of the release before, to the letter: it knows five members and no origin."""
    plain = payload if payload.startswith(b"[") else zlib.decompressobj().decompress(payload, 1 << 20)
    tenant, doc_id, user, tags, expires_at = tuple(json.loads(plain))
    return tenant, doc_id, user, frozenset(tags), expires_at


@pytest.mark.parametrize("form", BEFORE)
def test_a_link_of_the_previous_release_has_the_same_form_and_names_no_key(form: str) -> None:
    payload, grant = BEFORE[form]
    assert LinkGrant.from_bytes(payload) == grant


@given(GRANTS)
def test_a_grant_comes_out_as_it_went_in(grant: LinkGrant) -> None:
    assert LinkGrant.from_bytes(grant.to_bytes()) == grant


@given(GRANTS)
def test_the_release_before_reads_the_same_person_document_and_expiry(grant: LinkGrant) -> None:
    principal = grant.principal
    expected = (principal.tenant, grant.doc_id, principal.user, principal.tags, grant.expires_at)
    assert read_before(grant.to_bytes()) == expected


def test_a_link_of_the_release_before_opens_by_the_policy_of_the_moment_until_it_expires(
    world: World, tenant: str
) -> None:
    world.ingest(tenant, "The ledger.", for_users("ana"), path="/nowhere/ledger.txt", doc_id="ledger")

    def followed(user: str, expires_at: int) -> int:
        payload = json.dumps([tenant, "ledger", user, [], expires_at]).encode()
        return world.open(f"/open/{world.services.stores.seal.seal(SEAL_PURPOSE, payload)}").status

    now = int(world.services.clock())
    assert [followed("ana", now + 900), followed("ben", now + 900), followed("ana", now - 1)] == [200, 404, 404]
