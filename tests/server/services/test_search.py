from dataclasses import replace

import pytest

from groundwire.domain.access.policy import Principal
from groundwire.domain.access.scopes import Scope
from groundwire.domain.documents.collection import Collection
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import ALL_COLLECTIONS, CollectionGrant, KeyKind
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.domain.search.model_languages import ModelLanguages
from groundwire.domain.search.request import SearchMode
from groundwire.services.search.results import Trace
from tests.server.services.search_requests import requested
from tests.support.isolation.policies import NO_READERS, PUBLIC
from tests.support.models.hashed_words import HashedWords
from tests.support.worlds.world import World, caller

FOLDER, VAULT = "The ledger of the shelf.", "The ledger of the vault."


@pytest.fixture
def tenant(world: World) -> str:
    made = world.tenant("amber")
    world.ingest(made, FOLDER, PUBLIC, path="/nowhere/a.txt", collection="shelf", doc_id="a")
    world.ingest(made, VAULT, PUBLIC, path="/nowhere/b.txt", collection="vault", doc_id="b")
    return made


def reaching(tenant: str, collections: CollectionGrant) -> Caller:
    principal = Principal(tenant, None, frozenset())
    scopes = frozenset({Scope.SEARCH})
    return Caller(principal, "kid", KeyKind.ACT_AS, scopes, collections, USUAL_OPTIONS)


def test_a_search_reads_all_collections_of_its_key_at_once(world: World, tenant: str) -> None:
    assert world.search(caller(world.acting_key(tenant)), "ledger").texts == {FOLDER, VAULT}


def test_a_key_sees_no_collection_but_its_own(world: World, tenant: str) -> None:
    headers = caller(world.acting_key(tenant, collections=frozenset({"shelf"})))
    assert world.search(headers, "ledger", "vault").texts == {FOLDER}
    assert world.verify(headers, "a.0123456789abcdef").result["has_access"]
    beyond, unknown = (world.verify(headers, f"{doc_id}.0123456789abcdef").bytes for doc_id in ("b", "never"))
    assert beyond == unknown


def test_a_document_that_moves_out_of_a_keys_collections_is_out_of_its_sight(world: World, tenant: str) -> None:
    headers = caller(world.acting_key(tenant, collections=frozenset({"shelf"})))
    world.ingest(tenant, FOLDER, PUBLIC, path="/nowhere/a.txt", collection="vault", doc_id="a")
    assert world.search(headers, "ledger").texts == set()
    assert not world.verify(headers, "a.0123456789abcdef").result["has_access"]


@pytest.mark.parametrize("grant", [frozenset[str](), frozenset({"nowhere"}), frozenset({"shel", "shelf ", "FOLDER"})])
def test_a_grant_of_no_collection_that_there_is_finds_nothing(world: World, tenant: str, grant: frozenset[str]) -> None:
    assert world.services.reading.search(*requested(reaching(tenant, grant), ["ledger"], 8)).passages == ()


def test_every_collection_must_be_named(world: World, tenant: str) -> None:
    assert (
        len(world.services.reading.search(*requested(reaching(tenant, ALL_COLLECTIONS), ["ledger"], 8)).passages) == 2
    )


def test_a_collections_weight_counts_for_its_own_passages_alone(world: World, tenant: str) -> None:
    longer = "The ledger of the vault and of much that has nothing to do with it."
    world.ingest(tenant, longer, PUBLIC, path="/nowhere/c.txt", collection="vault", doc_id="c")
    world.ingest(tenant, "The shelf, the vault.", PUBLIC, path="/nowhere/d.txt", collection="shelf", doc_id="d")

    def scores() -> dict[str, float]:
        passages = world.services.reading.search(
            *requested(reaching(tenant, ALL_COLLECTIONS), ["ledger of the vault"], 8)
        ).passages
        return {passage.segment.doc_id: passage.score for passage in passages}

    world.services.stores.collections.put(tenant, Collection("vault", 0.0))
    by_vectors = scores()
    world.services.stores.collections.put(tenant, Collection("vault", 1.0))
    by_keywords = scores()
    assert by_keywords["c"] != pytest.approx(by_vectors["c"])
    assert {name: by_keywords[name] for name in "ad"} == {name: by_vectors[name] for name in "ad"}


def test_only_a_search_of_both_signals_regards_what_the_model_knows(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def scores(mode: SearchMode) -> list[float]:
        request = replace(requested(everyone, ["ledger of the vault"], 8)[1], mode=mode)
        return [passage.score for passage in world.services.reading.search(everyone, request).passages]

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


CLOSED_TEXTS = [
    "The shelf of ledger. " * 12,
    "Ledger, ledger, ledger.",
    "A long page on other subjects, without the words that were asked for. " * 40,
    "Das Buch steht im Regal, und niemand darf es lesen, denn es ist geheim.",
]


def everything_found(world: World, caller: Caller, *phrases: str) -> Trace:
    """Every step of a search, with scores and candidates."""
    return world.services.reading.search.traced(*requested(caller, phrases, 8))


def test_what_others_may_read_changes_neither_scores_nor_order(world: World, tenant: str) -> None:
    caller_of_all = reaching(tenant, ALL_COLLECTIONS)
    before = everything_found(world, caller_of_all, "ledger shelf", "vault")
    stranger = world.tenant("birch")
    for number, text in enumerate(CLOSED_TEXTS):
        world.ingest(stranger, text, PUBLIC, path=f"/nowhere/{number}.txt")
        world.ingest(tenant, text, NO_READERS, path=f"/nowhere/{number}.txt", collection="shelf")
    assert before.answer
    assert everything_found(world, caller_of_all, "ledger shelf", "vault") == before


def test_documents_beyond_the_keys_collections_change_neither_scores_nor_order(world: World, tenant: str) -> None:
    caller_of_folder = reaching(tenant, frozenset({"shelf"}))
    before = everything_found(world, caller_of_folder, "ledger shelf")
    for number, text in enumerate(CLOSED_TEXTS):
        world.ingest(tenant, text, PUBLIC, path=f"/nowhere/{number}.txt", collection="vault")
    assert everything_found(world, caller_of_folder, "ledger shelf") == before


def test_a_dictionary_of_names_does_not_tell_which_one_a_hidden_document_has(world: World, tenant: str) -> None:
    names = ["quetzal", "marlin", "osprey", "heron", "ibex"]
    for number in range(6):
        note = " ".join([*names[: number % 5 + 1], f"note {number} of the ledger"])
        world.ingest(tenant, note, PUBLIC, path=f"/nowhere/note-{number}.txt", doc_id=f"note-{number}")
    prober = reaching(tenant, ALL_COLLECTIONS)
    before = [everything_found(world, prober, f"{name} ledger") for name in names]
    world.ingest(tenant, "The project osprey. " * 12, NO_READERS, path="/nowhere/secret.txt", doc_id="secret")
    assert [everything_found(world, prober, f"{name} ledger") for name in names] == before
    assert all(each.answer for each in before)


def test_documents_that_nobody_may_read_push_no_readable_one_out(world: World, tenant: str) -> None:
    secrets = "\n\n".join(f"The ledger of the shelf, page {number}." for number in range(150))
    world.ingest(tenant, secrets, NO_READERS, path="/nowhere/secret.txt")
    assert world.search(caller(world.acting_key(tenant)), "ledger of the shelf").texts == {FOLDER, VAULT}


def similarities(world: World, tenant: str, **changes: object) -> dict[str, float | None]:
    """The similarity of each passage of a search that is changed so."""
    who, request = requested(reaching(tenant, ALL_COLLECTIONS), ["ledger of the shelf"], 8)
    found = world.services.reading.search(who, replace(request, **changes)).passages  # type: ignore[arg-type]
    return {each.segment.text: each.similarity for each in found}


def test_a_passage_has_its_similarity_unless_no_meaning_was_compared(world: World, tenant: str) -> None:
    found = similarities(world, tenant)
    assert set(found) == {FOLDER, VAULT}
    assert all(each is not None and -1 <= each <= 1 for each in found.values())
    assert similarities(world, tenant, mode=SearchMode.SEMANTIC) == found
    assert similarities(world, tenant, has_lexical_order=True) == found
    assert set(similarities(world, tenant, mode=SearchMode.LEXICAL).values()) == {None}


def test_a_bound_on_the_distance_is_strict_and_drops_what_has_no_distance(world: World, tenant: str) -> None:
    found = similarities(world, tenant)
    for bound in (0.0, *(1.0 - each for each in found.values() if each is not None), 3.0):
        near = {text: each for text, each in found.items() if each is not None and 1.0 - each < bound}
        assert similarities(world, tenant, max_distance=bound) == near
    assert similarities(world, tenant, max_distance=3.0, mode=SearchMode.LEXICAL) == {}


def test_an_order_of_words_leaves_out_what_holds_none(world: World, tenant: str) -> None:
    world.ingest(tenant, "Bread and soup.", PUBLIC, path="/nowhere/c.txt", collection="shelf", doc_id="c")
    assert len(similarities(world, tenant)) == 3
    assert list(similarities(world, tenant, has_lexical_order=True)) == [FOLDER, VAULT]
