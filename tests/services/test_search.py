from dataclasses import replace

import pytest

from groundwire.domain.access.policy import Principal
from groundwire.domain.access.scopes import Scope
from groundwire.domain.documents.collection import Collection
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import ALL_COLLECTIONS, CollectionGrant, KeyKind
from groundwire.domain.limits import DEFAULT_TOP_N
from groundwire.domain.search.model_languages import ModelLanguages
from groundwire.domain.search.request import SearchMode
from tests.services.search_requests import asked
from tests.support.isolation.policies import NO_READERS, PUBLIC
from tests.support.models.hashed_words import HashedWords
from tests.support.worlds.world import World, caller

SHELF, VAULT = "The ledger of the shelf.", "The ledger of the vault."


@pytest.fixture
def tenant(world: World) -> str:
    made = world.tenant("amber")
    world.ingest(made, SHELF, PUBLIC, path="/nowhere/a.txt", collection="shelf", doc_id="a")
    world.ingest(made, VAULT, PUBLIC, path="/nowhere/b.txt", collection="vault", doc_id="b")
    return made


def reaching(tenant: str, collections: CollectionGrant) -> Caller:
    principal = Principal(tenant, None, frozenset())
    scopes = frozenset({Scope.SEARCH})
    return Caller(principal, "kid", KeyKind.ACT_AS, scopes, collections, DEFAULT_TOP_N, "default")


def test_a_search_reads_all_collections_of_its_key_at_once(world: World, tenant: str) -> None:
    assert world.search(caller(world.acting_key(tenant)), "ledger").texts == {SHELF, VAULT}


def test_a_key_sees_no_collection_but_its_own(world: World, tenant: str) -> None:
    headers = caller(world.acting_key(tenant, collections=frozenset({"shelf"})))
    assert world.search(headers, "ledger", "vault").texts == {SHELF}
    assert world.verify(headers, "a.0123456789abcdef").result["has_access"]
    beyond, unknown = (world.verify(headers, f"{doc_id}.0123456789abcdef").bytes for doc_id in ("b", "never"))
    assert beyond == unknown


def test_a_document_that_moves_out_of_a_keys_collections_is_out_of_its_sight(world: World, tenant: str) -> None:
    headers = caller(world.acting_key(tenant, collections=frozenset({"shelf"})))
    world.ingest(tenant, SHELF, PUBLIC, path="/nowhere/a.txt", collection="vault", doc_id="a")
    assert world.search(headers, "ledger").texts == set()
    assert not world.verify(headers, "a.0123456789abcdef").result["has_access"]


@pytest.mark.parametrize("grant", [frozenset[str](), frozenset({"nowhere"}), frozenset({"shel", "shelf ", "SHELF"})])
def test_a_grant_of_no_collection_that_there_is_finds_nothing(world: World, tenant: str, grant: frozenset[str]) -> None:
    assert world.services.search(*asked(reaching(tenant, grant), ["ledger"], 8)).passages == ()


def test_every_collection_must_be_named(world: World, tenant: str) -> None:
    assert len(world.services.search(*asked(reaching(tenant, ALL_COLLECTIONS), ["ledger"], 8)).passages) == 2


def test_a_collections_weight_counts_for_its_own_passages_alone(world: World, tenant: str) -> None:
    longer = "The ledger of the vault and of much that has nothing to do with it."
    world.ingest(tenant, longer, PUBLIC, path="/nowhere/c.txt", collection="vault", doc_id="c")
    world.ingest(tenant, "The shelf, the vault.", PUBLIC, path="/nowhere/d.txt", collection="shelf", doc_id="d")

    def scores() -> dict[str, float]:
        passages = world.services.search(*asked(reaching(tenant, ALL_COLLECTIONS), ["ledger of the vault"], 8)).passages
        return {passage.segment.doc_id: passage.score for passage in passages}

    world.services.collections.put(tenant, Collection("vault", 0.0))
    by_meaning = scores()
    world.services.collections.put(tenant, Collection("vault", 1.0))
    by_words = scores()
    assert by_words["c"] != pytest.approx(by_meaning["c"])
    assert {name: by_words[name] for name in "ad"} == {name: by_meaning[name] for name in "ad"}


def test_only_a_search_of_both_signals_regards_what_the_model_knows(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def scores(mode: SearchMode) -> list[float]:
        request = replace(asked(everyone, ["ledger of the vault"], 8)[1], mode=mode)
        return [passage.score for passage in world.services.search(everyone, request).passages]

    longer = "The ledger of the vault and of much that has nothing to do with it."
    world.ingest(tenant, longer, PUBLIC, path="/nowhere/c.txt", collection="vault", doc_id="c")
    world.ingest(tenant, "The shelf, the vault.", PUBLIC, path="/nowhere/d.txt", collection="shelf", doc_id="d")
    everyone = reaching(tenant, ALL_COLLECTIONS)
    known = {mode: scores(mode) for mode in SearchMode}
    # The passages are too short to tell their language, and are taken for English.
    monkeypatch.setattr(HashedWords, "languages", ModelLanguages.of(["ru"]))
    assert {mode for mode in SearchMode if scores(mode) != known[mode]} == {SearchMode.HYBRID}


def test_the_same_text_in_two_documents_is_answered_once_and_from_a_readable_one(world: World, tenant: str) -> None:
    for doc_id, policy in (("copy", PUBLIC), ("secret", NO_READERS)):
        world.ingest(tenant, "The ledger twice.", policy, path=f"/nowhere/{doc_id}.txt", doc_id=doc_id)
    segments = world.search(caller(world.acting_key(tenant)), "twice").segments
    assert [s["segment_uid"].rpartition(".")[0] for s in segments if "twice" in s["raw_text"]] == ["copy"]


def test_what_others_may_read_changes_neither_scores_nor_order(world: World, tenant: str) -> None:
    caller_of_all = reaching(tenant, ALL_COLLECTIONS)
    before = [
        (p.segment.uid, p.score) for p in world.services.search(*asked(caller_of_all, ["ledger shelf"], 8)).passages
    ]
    stranger = world.tenant("birch")
    for number in range(5):
        world.ingest(stranger, f"The shelf of ledger {number}.", PUBLIC, path=f"/nowhere/{number}.txt")
    assert [
        (p.segment.uid, p.score) for p in world.services.search(*asked(caller_of_all, ["ledger shelf"], 8)).passages
    ] == before


def test_documents_that_nobody_may_read_push_no_readable_one_out(world: World, tenant: str) -> None:
    secrets = "\n\n".join(f"The ledger of the shelf, page {number}." for number in range(150))
    world.ingest(tenant, secrets, NO_READERS, path="/nowhere/secret.txt")
    assert world.search(caller(world.acting_key(tenant)), "ledger of the shelf").texts == {SHELF, VAULT}
