"""A search without a configured part continues and reports it; rows that the index should have hidden are counted."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, cast

import pytest

from groundwire.domain.access.policy import Principal
from groundwire.domain.access.scopes import Scope
from groundwire.domain.errors import Superseded, Unavailable
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import ALL_COLLECTIONS, KeyKind
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.domain.search.model_languages import ALL_LANGUAGES
from groundwire.ports import Documents, Embedder, Embedders, Indexes, ModelId, Reranker, Vector, VectorIndex
from groundwire.services.evaluate.measurement import SearchEvaluator
from groundwire.services.evaluate.test_set import Question, TestSet
from groundwire.services.search import Search
from groundwire.services.search.results import LEXICAL_ONLY, NOT_RERANKED
from tests.server.services.search_requests import requested
from tests.support.isolation.policies import NO_READERS, PUBLIC
from tests.support.worlds.world import World


class Silent:
    """Embedder, embedders and reranker that do not answer."""

    model = ModelId("hashed-words", 64)
    languages = ALL_LANGUAGES
    name = "silent"

    def for_model(self, model: ModelId) -> Embedder:
        return cast("Embedder", self)

    def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> list[Vector]:
        raise Unavailable("The embedder does not answer.")

    def score(self, query: str, passages: Sequence[str]) -> list[float]:
        raise Unavailable("The reranker does not answer.")


class Exchanged:
    """The tenants' indexes; the first ones are replaced while they are searched."""

    def __init__(self, indexes: Indexes, times: int) -> None:
        self._indexes = indexes
        self._left = times

    def for_tenant(self, tenant: str) -> VectorIndex:
        index = self._indexes.for_tenant(tenant)
        if not self._left:
            return index
        self._left -= 1
        return cast("VectorIndex", Missing(index.model))


class Missing:
    def __init__(self, model: ModelId) -> None:
        self.model = model

    @property
    def lexical(self) -> "Missing":
        return self

    def search(self, *_requested: object) -> object:
        raise Superseded("Another index answers by now.")


class Widest:
    """Registry whose policies differ from those that the index has."""

    def __init__(self, documents: Documents, changed_at: float) -> None:
        self._documents = documents
        self._changed_at = changed_at

    def read(self, tenant: str, doc_ids: Sequence[str]) -> object:
        records = self._documents.read(tenant, doc_ids)
        return {key: replace(each, policy=NO_READERS, updated_at=self._changed_at) for key, each in records.items()}


@pytest.fixture
def tenant(world: World) -> str:
    made = world.tenant("amber")
    world.ingest(made, "The pump has a valve.", PUBLIC, path="/nowhere/pump.txt", doc_id="pump")
    world.ingest(made, "Holidays are booked in spring.", PUBLIC, path="/nowhere/leave.txt", doc_id="leave")
    return made


def asking(tenant: str) -> Caller:
    principal = Principal(tenant, None, frozenset())
    return Caller(principal, "kid", KeyKind.ACT_AS, frozenset({Scope.SEARCH}), ALL_COLLECTIONS, USUAL_OPTIONS)


def searching(
    world: World,
    *,
    indexes: object = None,
    embedders: object = None,
    documents: object = None,
    reranker: object = None,
) -> Search:
    services = world.services
    return Search(
        cast("Indexes", indexes or services.stores.indexes),
        cast("Embedders", embedders or services.models.embedders),
        cast("Documents", documents or services.stores.documents),
        services.stores.collections,
        cast("Reranker | None", reranker),
        (),
        services.clock,
    )


def test_without_the_embedder_a_search_goes_by_lexical_score_and_reports_it(world: World, tenant: str) -> None:
    found = searching(world, embedders=Silent())(*requested(asking(tenant), ["valve"], 8))
    assert [passage.document.doc_id for passage in found.passages] == ["pump"]
    assert found.notice == LEXICAL_ONLY
    assert found.audit_fields(found.passages).get("degraded") is True


def test_without_the_reranker_the_order_is_that_of_the_index_and_the_answer_reports_it(
    world: World, tenant: str
) -> None:
    plain = searching(world)(*requested(asking(tenant), ["valve"], 8))
    found = searching(world, reranker=Silent())(*requested(asking(tenant), ["valve"], 8))
    assert found.passages == plain.passages
    assert (plain.notice, found.notice) == (None, NOT_RERANKED)
    assert "degraded" not in plain.audit_fields(plain.passages)


def test_a_search_whose_index_is_exchanged_meanwhile_asks_the_next_one_once(world: World, tenant: str) -> None:
    services = world.services
    found = searching(world, indexes=Exchanged(services.stores.indexes, 1))(*requested(asking(tenant), ["valve"], 8))
    assert found.passages
    with pytest.raises(Superseded):
        searching(world, indexes=Exchanged(services.stores.indexes, 2))(*requested(asking(tenant), ["valve"], 8))


@pytest.mark.parametrize(("age_s", "mismatches"), [(5, 0), (3_600, 2)])
def test_a_document_that_the_index_should_have_kept_back_by_now_is_dropped_and_counted(
    world: World, tenant: str, age_s: float, mismatches: int
) -> None:
    documents = Widest(world.services.stores.documents, world.services.clock() - age_s)
    found = searching(world, documents=documents)(*requested(asking(tenant), ["valve"], 8))
    assert found.passages == ()
    assert found.acl_mismatches == mismatches
    assert found.audit_fields(()).get("acl_mismatch", 0) == mismatches


def test_a_change_of_policy_that_the_index_has_followed_is_no_mismatch(world: World, tenant: str) -> None:
    world.services.administration.document_admin.override_policy(tenant, "pump", NO_READERS)
    assert world.services.reading.search(*requested(asking(tenant), ["valve"], 8)).acl_mismatches == 0


def test_an_old_document_that_the_user_may_read_is_no_mismatch(world: World, tenant: str) -> None:
    class Old(Widest):
        def read(self, tenant: str, doc_ids: Sequence[str]) -> object:
            records = self._documents.read(tenant, doc_ids)
            return {key: replace(each, updated_at=self._changed_at) for key, each in records.items()}

    found = searching(world, documents=Old(world.services.stores.documents, 0.0))(
        *requested(asking(tenant), ["valve"], 8)
    )
    assert (len(found.passages), found.acl_mismatches) == (2, 0)


def test_nothing_is_measured_of_a_search_that_goes_by_lexical_score_alone(world: World, tenant: str) -> None:
    crippled = searching(world, embedders=Silent())
    question = Question("q", "valve", None, frozenset())
    with pytest.raises(Unavailable, match="Nothing was measured"):
        SearchEvaluator(crippled, crippled)(
            tenant, ALL_COLLECTIONS, TestSet("t", [question], {"q": {"pump": 1}}), lambda _done, _all: None
        )
